// Also on PostgreSQL: what a listener changes in the results is part of the transaction.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Shop, startShop } from './_shop.ts';

const code = `
import type { App, Request, Response } from 'treadle';
import { Readable } from 'node:stream';

const count = { type: 'object', properties: { seats: { type: 'integer' }, get: { type: 'string' } }, required: ['seats'] };
const twice = { type: 'object', properties: { twice: { type: 'integer' } }, required: ['twice'] };
/** A shape of no library that Treadle knows, which waits. */
const even = { '~standard': { version: 1, vendor: 'own', validate: async (value) =>
  value.n % 2 === 0 ? { value: { half: value.n / 2 } } : { issues: [{ message: 'must be even', path: ['n'] }] } } };

export default function shop(app: App) {
  app.get('/text', () => '<p>text</p>');
  app.get('/object', () => ({ left: 1 }));
  app.get('/nothing', () => undefined);
  app.get('/number', () => 5);
  app.get('/web', () => {
    const headers = new Headers({ 'content-type': 'text/csv' });
    headers.append('set-cookie', 'a=1');
    headers.append('set-cookie', 'b=2');
    return new globalThis.Response('a,b', { status: 202, headers });
  });
  app.get('/moved', () => globalThis.Response.redirect('http://127.0.0.1/there', 302));
  app.get('/gone', () => new globalThis.Response(null, { status: 410 }));
  app.get('/stream', () => Readable.from(['one ', 'two']));
  app.get('/web-stream', () => new Blob(['three']).stream());
  app.get('/typed/:id', { stage: { type: 'object', properties: { id: { type: 'string', pattern: '^[0-9]+$' } } } }, ({ id }) => ({ id }));

  const rest = (name, method, more, handler) => app.rest({ access: 'public', method, path: '/public/' + name + (more.tail ?? ''), name, ...more }, handler);
  rest('plain', 'post', {}, (request) => ({ seats: request.getStage('seats') }));
  rest('none', 'get', { answer: twice }, () => undefined);
  rest('done', 'get', {}, () => undefined);
  rest('empty', 'get', {}, () => ({}));
  rest('csv', 'get', {}, () => new globalThis.Response('a,b', { headers: { 'content-type': 'text/csv' } }));
  rest('text', 'get', {}, () => 'text');
  rest('twice', 'post', { tail: '/:talk_id', body: count, answer: twice }, (stage, { request, response }) => {
    if (stage.seats === 0) return response.refuse({ status: 409, message: 'none' });
    return { twice: 2 * Number(stage.seats), stage: { ...stage }, get: typeof stage.get, raw: request.getStage('seats') };
  });
  rest('older', 'post', { body: count }, (request: Request, response: Response) =>
    void response.setResults({ seats: request.getStage('seats'), is: request.hasStage('seats') }));
  rest('made', 'post', { status: 201, answer: twice }, () => ({ twice: 'two' }));
  rest('even', 'post', { body: even }, ({ half }) => ({ half }));

  app.event('talk-seats', { stage: count, results: twice, description: 'Counts seats.' }, ({ seats }) => ({ twice: Number(seats) * 2 }));
  app.get('/seats', 'talk-seats');
  app.event('talk-wrong', { results: twice }, () => ({ twice: 'a' }));

  app.after('system-model-create', { schema: 'ticket' }, ({ ticket_seat }, { row, before, response }) => {
    if (ticket_seat === 'refuse') return response.refuse({ status: 409, message: 'Not this seat' });
    return { number: 'T-' + row.ticket_id, before: before === undefined };
  });
  app.after('system-model-*', { schema: ['ticket', 'talk'] }, (_stage, { row, before }, { event }) =>
    /update|remove|restore/.test(event) && { change: [before, row].map((one) => one && [one.ticket_seat ?? one.talk_title, one.ticket_active]) });
  app.on('system-model-detail', { schema: 'talk' }, ({ talk_id }) => Number(talk_id) === 77 ? { talk_id: 77, talk_title: 'made' } : undefined);
}
`;

const handlers = suite('handlers that return');
const world: { shop?: Shop } = {};
handlers.before(async () => {
  world.shop = await startShop({
    code,
    files: {
      'config/rest/seats.json': {
        title: 'Seats',
        access: 'public',
        method: 'get',
        path: '/public/seats/count',
        event: 'talk-seats',
      },
    },
  });
});
handlers.after(() => world.shop?.site.close());
const shop = (): Shop => world.shop as Shop;

const PAGES: readonly (readonly [string, number, string, string])[] = [
  ['/text', 200, 'text/html; charset=utf-8', '<p>text</p>'],
  ['/object', 200, 'application/json', '{"error":false,"results":{"left":1}}'],
  ['/web', 202, 'text/csv', 'a,b'],
  ['/stream', 200, 'application/octet-stream', 'one two'],
  ['/web-stream', 200, 'application/octet-stream', 'three'],
  ['/rest/public/empty', 200, 'application/json', '{"error":false,"results":{}}'],
  ['/rest/public/csv', 200, 'text/csv', 'a,b'],
  ['/rest/public/text', 200, 'text/plain; charset=utf-8', 'text'],
  ['/typed/7', 200, 'application/json', '{"error":false,"results":{"id":"7"}}'],
  ['/seats?seats=no', 422, '', ''],
  ['/typed/x', 422, '', ''],
  ['/nothing', 404, '', ''],
  ['/number', 404, '', ''],
  ['/rest/public/none', 404, '', ''],
  ['/rest/public/done', 200, 'application/json', '{"error":false,"results":null}'],
];
for (const [path, status, type, body] of PAGES)
  handlers(`GET ${path} is ${status}`, async () => {
    const answer = await shop().site.get(path);
    assert.is(answer.status, status);
    if (status < 400) assert.equal([answer.headers['content-type'], answer.text], [type, body]);
  });

handlers('a Response of the web keeps its cookies, its redirect and its empty body', async () => {
  const { headers } = await shop().site.get('/web');
  assert.equal(headers['set-cookie'], ['a=1', 'b=2']);
  const moved = await shop().site.get('/moved');
  assert.equal([moved.status, moved.headers.location], [302, 'http://127.0.0.1/there']);
  const gone = await shop().site.get('/gone');
  assert.equal([gone.status, gone.text], [410, '']);
});

handlers('a call with a shape gets the body and the path, and nothing that was not checked', async () => {
  const { status, body } = await shop().send('POST', '/rest/public/twice/7?talk_id=8&role=admin', { seats: 2 });
  const stage = { seats: 2, talk_id: '7' };
  assert.equal([status, body.results], [200, { twice: 4, stage, get: 'undefined', raw: 2 }]);
  assert.is((await shop().send('POST', '/rest/public/twice/7', { seats: 0 })).status, 409);
  assert.is((await shop().send('POST', '/rest/public/twice/7', { seats: 'a' })).status, 422);
});

handlers('a call without a shape, and an older handler with one, get the request', async () => {
  assert.equal((await shop().send('POST', '/rest/public/plain', { seats: 2 })).body.results, { seats: 2 });
  assert.equal((await shop().send('POST', '/rest/public/older', { seats: 2 })).body.results, { seats: 2, is: true });
});

handlers('a shape of another library checks and converts, and may wait', async () => {
  assert.equal((await shop().send('POST', '/rest/public/even', { n: 4 })).body.results, { half: 2 });
  const { status, body } = await shop().send('POST', '/rest/public/even', { n: 3 });
  assert.equal([status, body.validation], [422, { n: 'must be even' }]);
});

handlers('results that break their shape are logged once, outside production', async () => {
  const lines = (name: string) =>
    shop()
      .log()
      .split('result.shape')
      .filter((line) => line.includes(name)).length;
  for (let times = 0; times < 2; times += 1) {
    const { status, body } = await shop().send('POST', '/rest/public/made', {});
    assert.equal([status, body.results], [201, { twice: 'two' }]);
    assert.equal(await shop().emit('talk-wrong', {}), { twice: 'a' });
  }
  assert.equal([lines('the call made break'), lines('the event talk-wrong break')], [1, 1]);
});

handlers('app.after gets the row as it is and as it was', async () => {
  const talk = await shop().emit('system-model-create', { schema: 'talk', talk_title: 'One', talk_capacity: 1 });
  const { talk_id } = talk;
  const made = await shop().send('POST', '/rest/public/ticket/create', { talk_id, ticket_seat: 'A' });
  const { ticket_id } = made.body.results as { ticket_id: number };
  assert.equal([made.status, made.body.results?.number, made.body.results?.before], [201, `T-${ticket_id}`, true]);
  const refused = await shop().send('POST', '/rest/public/ticket/create', { talk_id, ticket_seat: 'refuse' });
  assert.equal([refused.status, refused.body.message], [409, 'Not this seat']);
  const change = async (event: string, stage: Record<string, unknown>) => (await shop().emit(event, stage)).change;
  const key = { schema: 'ticket', ticket_id };
  assert.equal(await change('system-model-update', { ...key, ticket_seat: 'B' }), [
    ['A', 1],
    ['B', 1],
  ]);
  assert.equal(await change('system-model-remove', key), [
    ['B', 1],
    ['B', 0],
  ]);
  assert.equal(await change('system-model-restore', key), [
    ['B', 0],
    ['B', 1],
  ]);
  const free = await shop().emit('system-model-create', { schema: 'talk', talk_title: 'Two', talk_capacity: 1 });
  const removed = await change('system-model-remove', { schema: 'talk', talk_id: free.talk_id });
  assert.equal(removed, [
    ['Two', undefined],
    ['Two', undefined],
  ]);
});

handlers('app.on with options answers in place of Treadle', async () => {
  const { status, body } = await shop().send('GET', '/rest/public/talk/detail/77');
  assert.equal([status, body.results], [200, { talk_id: 77, talk_title: 'made' }]);
});

handlers('a declared event is emitted by its name, and is documented', async () => {
  assert.equal(await shop().emit('talk-seats', { seats: 4 }), { twice: 8 });
  const { data } = await shop().site.cli('events');
  const events = data.events as readonly { readonly event: string }[];
  assert.equal(
    events.find(({ event }) => event === 'talk-seats'),
    {
      event: 'talk-seats',
      description: 'Counts seats.',
      stage: { seats: 'integer', get: 'string' },
      results: 'twice',
      firesHooks: true,
    },
  );
  const explained = await shop().site.cli('explain', 'GET', '/rest/public/seats/count');
  assert.match(
    explained.out,
    /"event": "talk-seats",\s+"by": "project",\s+"name": "[^"]*",\s+"place": "app.www.src.controller.shop.ts:\d+"/,
  );
  const { body } = await shop().send('GET', '/developer/docs/openapi.json');
  const { paths, components } = body as unknown as {
    paths: Record<
      string,
      { get?: object; post?: { requestBody: { content: Record<string, { schema: { $ref: string } }> } } }
    >;
    components: { schemas: Record<string, object> };
  };
  const text = JSON.stringify(paths['/rest/public/seats/count']?.get);
  assert.match(text, '"results":{"type":"object","properties":{"twice":{"type":"integer"}}');
  assert.match(text, '"name":"seats","in":"query"');
  // Only zod and JSON Schema describe themselves.
  const { $ref } = paths['/rest/public/even']?.post?.requestBody.content['application/json']?.schema ?? { $ref: '' };
  assert.equal(components.schemas[$ref.slice('#/components/schemas/'.length)], { type: 'object' });
  const checked = await shop().site.cli('check');
  assert.match(checked.out, 'for shapes of even');
});

handlers.run();
