import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '../../src/boot.ts';
import { EMITTED } from '../../src/core/bus/bus.ts';
import { Request } from '../../src/core/request/request.ts';
import { Response } from '../../src/core/request/response.ts';
import { addArticle, boot, type Site } from '../boot.ts';

const test = suite('app/stage-emit');
const started: { site?: Site } = {};

test.before(async () => {
  const files = {
    'app/www/src/events.ts': `export default (app) => {
      app.get('/once', async (request, response) => {
        for (let count = 0; count < 2; count += 1) await app.emit('system-model-serch', request, response);
        response.setContent('done');
      });
    };`,
  };
  started.site = await boot({ files });
});
test.after(() => started.site?.close());

test('emit takes a request and a response as in a controller, or a stage', async () => {
  const site = started.site as Site;
  const id = await addArticle(site, 'Both forms');
  const request = new Request().setStage('schema', 'article').setStage('article_id', id);
  const response = new Response(request);
  assert.is(await site.app.emit('system-model-detail', request, response), EMITTED.complete);
  assert.is(response.getResults('article_title'), 'Both forms');
  const found = await site.app.emit('system-model-detail', { schema: 'article', article_id: id });
  assert.is(found.getResults<string>('article_title'), 'Both forms');
});

test('a request without a response is refused with the way to write it', () => {
  const site = started.site as Site;
  const emit = site.app.emit as (event: string, request: Request) => unknown;
  assert.throws(() => emit('system-model-search', new Request()), /without a response/);
});

test('an event that nothing hears is logged once, with the name that was meant', async () => {
  const site = started.site as Site;
  assert.is((await site.get('/once')).text, 'done');
  const told = site.log.filter((line) => line.includes('an event is not heard'));
  assert.is(told.length, 1);
  assert.match(told[0] as string, 'Did you mean \\"system-model-search\\"?');
});

test('a server without a host listens on this machine', async () => {
  const site = started.site as Site;
  const app = await createApp({ root: site.root, mode: 'test', env: {}, hasWorkers: false });
  try {
    assert.match(await app.listen({ port: 0 }), /^http:\/\/127\.0\.0\.1:\d+$/);
  } finally {
    await app.close();
  }
});

test.run();
