// The stream of the guide "Event streams", as it stands.
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site, until } from '../boot.ts';
import { findPath, readBlocks } from '../docs/_block.ts';

const code = readBlocks('docs/guide/streams.md').find((block) => findPath(block) === 'app/www/src/controller/news.ts');

interface Listener {
  readonly answer: IncomingMessage;
  readonly call: ClientRequest;
  text: string;
  isEnded: boolean;
}

function listen(url: string, headers: Record<string, string> = {}): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/news/stream`, { headers }, (answer) => {
      const listener: Listener = { answer, call, text: '', isEnded: false };
      answer.setEncoding('utf8').on('data', (part) => {
        listener.text += part;
      });
      answer.on('end', () => {
        listener.isEnded = true;
      });
      resolve(listener);
    });
    call.on('error', reject);
    call.end();
  });
}

const bootNews = (look = 20): Promise<Site> =>
  boot({
    files: {
      'app/www/src/controller/news.ts': (code?.text ?? '')
        .replace('LOOK_MS = 1000', `LOOK_MS = ${look}`)
        .replace('BEAT_MS = 25_000', 'BEAT_MS = 50'),
    },
    change: (project) => {
      const text = project.read('app/www/.treadle.ts');
      project.write(
        'app/www/.treadle.ts',
        `import news from './src/controller/news';\n${text.replace('export default [', 'export default [news, ')}`,
      );
    },
  });

const addComment = async (site: Site, profile_id: number): Promise<number> =>
  Number(
    (await site.emit('system-model-create', { schema: 'comment', profile_id, comment_detail: 'New' })).getResults(
      'comment_id',
    ),
  );

const test = suite('e2e/stream-guide');

test('a listener hears, comes back with Last-Event-ID, and ends with the reload and the process', async () => {
  const site = await bootNews();
  try {
    await site.as('Ada');
    const first = await addComment(site, 1);
    const one = await listen(site.url);
    assert.is(one.answer.headers['content-type'], 'text/event-stream; charset=utf-8');
    assert.is(one.answer.headers['cache-control'], 'no-store, no-transform');
    assert.is(one.answer.headers['x-accel-buffering'], 'no');
    assert.is(one.answer.headers['content-encoding'], undefined);
    await until(() => (one.text.includes('\n:\n') ? true : undefined));
    assert.not.match(one.text, `id: ${first}\n`);

    const second = await addComment(site, 1);
    await until(() => (one.text.includes(`id: ${second}\n`) ? true : undefined));
    assert.match(one.text, `event: comment\ndata: {"comment_id":${second}}\n\n`);
    one.call.destroy();

    const third = await addComment(site, 1);
    const again = await listen(site.url, { 'last-event-id': String(first) });
    await until(() => (again.text.includes(`id: ${third}\n`) ? true : undefined));
    assert.match(again.text, `id: ${second}\n`);
    assert.is(again.text.match(new RegExp(`id: ${third}\n`, 'g'))?.length, 1);

    await site.app.reload();
    await until(() => (again.isEnded ? true : undefined));
    const last = await listen(site.url, { 'last-event-id': 'x' });
    const fourth = await addComment(site, 1);
    await until(() => (last.text.includes(`id: ${fourth}\n`) ? true : undefined));

    const begun = performance.now();
    await site.app.close();
    assert.ok(performance.now() - begun < 5000, 'the stream does not hold up the end');
    await until(() => (last.isEnded ? true : undefined));
    assert.equal(
      site.log.filter((line) => /"level":"(?:warn|error)"/.test(line) && !line.includes('"search.slow"')),
      [],
    );
  } finally {
    await site.close();
  }
});

test.run();
