// A client in a process of its own, so that the processor time of a server does not include it. Its parent sends
// { url, paths, headers }; it asks for the paths one after another and sends { milliseconds, bytes }: of each, and of the last.
import { Agent, get } from 'node:http';
import process from 'node:process';

const agent = new Agent({ keepAlive: true });

const ask = (url, headers) =>
  new Promise((done, fail) => {
    const begun = performance.now();
    get(url, { agent, headers }, (answer) => {
      let bytes = 0;
      answer.on('data', (chunk) => {
        bytes += chunk.length;
      });
      answer.on('end', () => {
        if (answer.statusCode === 200) done({ milliseconds: performance.now() - begun, bytes });
        else fail(new Error(`${url}: ${answer.statusCode}`));
      });
    }).on('error', fail);
  });

process.on('message', async ({ url, paths, headers }) => {
  const taken = [];
  for (const path of paths) taken.push(await ask(url + path, headers));
  process.send({ milliseconds: taken.map(({ milliseconds }) => milliseconds), bytes: taken.at(-1).bytes });
});
