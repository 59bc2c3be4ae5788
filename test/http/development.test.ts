import { request as httpRequest, type IncomingMessage } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ask } from '../client.ts';
import { createHarness } from './_harness.ts';

const test = suite('http/development');

interface State {
  readonly version: string;
  readonly problems: readonly { file: string; message: string }[];
}

/** Reads the states of an event stream, one at a time. */
function openStream(url: string): Promise<{ next(): Promise<State>; ended: Promise<void> }> {
  return new Promise((resolve, reject) => {
    httpRequest(url, (res: IncomingMessage) => {
      const states: State[] = [];
      const waiting: ((state: State) => void)[] = [];
      let text = '';
      res.on('data', (chunk) => {
        text += chunk;
        const parts = text.split('\n\n');
        text = parts.pop() ?? '';
        for (const part of parts) {
          const data = /^data: (.*)$/m.exec(part)?.[1];
          if (data === undefined) continue;
          const state = JSON.parse(data) as State;
          const taker = waiting.shift();
          if (taker) taker(state);
          else states.push(state);
        }
      });
      const ended = new Promise<void>((done) => res.on('end', () => done()));
      const next = (): Promise<State> => {
        const state = states.shift();
        return state ? Promise.resolve(state) : new Promise((take) => waiting.push(take));
      };
      resolve({ next, ended });
    })
      .on('error', reject)
      .end();
  });
}

test('open pages are told of reloads and problems; the last good version goes on; closing ends the streams', async () => {
  const harness = await createHarness({
    mode: 'development',
    routes: { 'GET /x': (_q, r) => void r.setContent('<!doctype html><html><body>one</body></html>') },
  });
  const page = await ask(`${harness.url}/x`);
  assert.match(page.text, /one<script src="\/__treadle\/reload\.js" data-version="([^"]+)" defer><\/script><\/body>/);
  const stream = await openStream(`${harness.url}/__treadle/reload`);
  const first = await stream.next();
  assert.match(page.text, `data-version="${first.version}"`);
  const problem = {
    code: 'X',
    file: 'config/schema/a.json',
    path: 'fields[0]',
    line: 3,
    message: '<b>',
    hint: 'Mend it.',
  };
  harness.development?.notifyReload([problem]);
  const broken = await stream.next();
  assert.is(broken.version, first.version);
  assert.equal(broken.problems, [problem]);
  assert.is((await ask(`${harness.url}/x`)).status, 200);
  harness.development?.notifyReload();
  const mended = await stream.next();
  assert.is.not(mended.version, first.version);
  assert.equal(mended.problems, []);
  const closed = harness.close(5000);
  await stream.ended;
  await closed;
  await harness.remove();
});

test('pages are told of slow searches, also a page that opens its stream only afterwards', async () => {
  const harness = await createHarness({ mode: 'development' });
  const advice = {
    path: '/x',
    at: 1,
    milliseconds: 90,
    search: 'article sort=-a',
    plan: undefined,
    remedy: 'Add <it>',
  };
  harness.development?.tellSlow(advice);
  const stream = await openStream(`${harness.url}/__treadle/reload`);
  await stream.next();
  const { plan: _plan, ...told } = advice;
  assert.equal((await stream.next()) as unknown, [told]);
  harness.development?.tellSlow({ ...advice, at: 2 });
  assert.equal((await stream.next()) as unknown, [{ ...told, at: 2 }]);
  const closed = harness.close(5000);
  await stream.ended;
  await closed;
  await harness.remove();
});

test('the script is our own file and never inline; outside development there is neither', async () => {
  const development = await createHarness({ mode: 'development' });
  const script = await ask(`${development.url}/__treadle/reload.js`);
  assert.match(script.headers['content-type'] ?? '', 'text/javascript');
  assert.match(script.text, 'EventSource');
  assert.not.match(script.text, 'innerHTML');
  await development.remove();
  const production = await createHarness({
    mode: 'production',
    routes: { 'GET /x': (_q, r) => void r.setContent('<html><body>x</body></html>') },
  });
  assert.is((await ask(`${production.url}/__treadle/reload.js`)).status, 404);
  assert.not.match((await ask(`${production.url}/x`)).text, 'script');
  await production.remove();
});

test.run();
