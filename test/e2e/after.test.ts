// Also on PostgreSQL: what follows a commit depends on the transaction.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '../boot.ts';
import { SERVER } from '../database/_where.ts';
import { type Shop, startShop } from './_shop.ts';

const code = `
import type { App } from 'treadle';

export default function shop(app: App) {
  app.on('system-model-create', (request, response) => {
    if (request.getStage('talk_title') === 'stop') return false;
    if (request.getStage('talk_title') === 'answer') { response.setResults({ talk_id: 7 }); return false; }
  });
  app.after('system-model-create', { schema: 'ticket' }, async (request, response) => {
    const talk = Number(response.getResults('talk_id'));
    const seat = response.getResults('ticket_seat');
    if (seat === 'throw') throw new Error('broken');
    if (seat === 'refuse') { response.setStatus(409).setError(true, 'Not this seat'); return; }
    if (seat !== 'unlocked') await app.lock('talk ' + talk);
    const sold = await app.emit('system-model-search', { schema: 'ticket', filter: { talk_id: talk } });
    const found = await app.emit('system-model-detail', { schema: 'talk', talk_id: talk });
    if (Number(sold.getResults('total')) > Number(found.getResults('talk_capacity'))) {
      response.setStatus(409).setError(true, 'Sold out');
      return;
    }
    response.setResults('ticket_number', 'T-' + response.getResults('ticket_id'));
  });
  app.after('system-model-*', { schema: 'talk' }, (request, response, { event }) => {
    const results = response.getResults();
    if (typeof results === 'object' && results !== null && !('rows' in results)) response.setResults('seen', event);
  });
  app.after('system-model-import', { schema: 'talk' }, (request, response) => {
    if (response.getResults('new') === 3) response.setError(true, 'Three are too many');
  });
  app.after('order-paid', (request, response) => void response.setResults('after', true));
  app.webhook({ type: 'order.shipped', event: 'order-shipped', url: 'http://127.0.0.1:9/' });
  app.rest({ access: 'public', method: 'post', path: '/lock-outside' }, () => app.lock('x'));
  app.rest({ access: 'public', method: 'post', path: '/lock-serializable' }, () =>
    app.transaction(() => app.lock('x'), { attempts: 2 }));
  app.rest({ access: 'public', method: 'post', path: '/buy' }, async (request, response) => {
    const tries = { count: 0 };
    const talk = Number(request.getStage('talk_id'));
    await app.transaction(async () => {
      tries.count += 1;
      request.setStage('tries', Number(request.getStage('tries') ?? 0) + 1);
      const sold = await app.emit('system-model-search', { schema: 'ticket', filter: { talk_id: talk } });
      if (Number(sold.getResults('total')) > 0) { response.setStatus(409).setError(true, 'Sold out'); return; }
      await app.emit('system-model-create', { schema: 'seat', seat_name: 'x', talk_id: talk });
      const made = await app.emit('system-model-create', { schema: 'ticket', talk_id: talk, ticket_seat: 'unlocked' });
      if (made.isError()) response.setStatus(made.getStatus()).setError(true, made.getMessage());
      else response.setResults({ tries: tries.count, stage: request.getStage('tries') });
    }, { attempts: 20 });
  });
  app.rest({ access: 'public', method: 'post', path: '/unlocked' }, (request, response) => app.transaction(async () => {
    await app.emit('system-model-search', { schema: 'talk' });
    const made = await app.emit('system-model-create', { schema: 'talk', talk_title: 'x' });
    response.setResults(made.getResults());
  }));
}
`;

const seat = {
  name: 'seat',
  singular: 'Seat',
  plural: 'Seats',
  fields: [{ name: 'name', label: 'Name', type: 'text' }],
  relations: [{ schema: 'talk', kind: '1:1' }],
};

const after = suite('after');
const world: { shop?: Shop } = {};
const shop = (): Shop => world.shop as Shop;

after.before(async () => {
  world.shop = await startShop({ code, files: { 'config/schema/seat.json': seat } });
});
after.after(() => shop().site.close());

const addTalk = async (capacity: number): Promise<number> =>
  Number(
    (await shop().emit('system-model-create', { schema: 'talk', talk_title: 'A', talk_capacity: capacity })).talk_id,
  );
const count = async (talk: number): Promise<unknown> =>
  (await shop().emit('system-model-search', { schema: 'ticket', filter: { talk_id: talk } })).total;
const buy = (talk: number, ticket_seat = 'any') =>
  shop().send('POST', '/rest/public/ticket/create', { talk_id: talk, ticket_seat });

after('changes what is answered; status, Location and ETag stay', async () => {
  const talk = await addTalk(5);
  const made = await buy(talk);
  assert.is(made.status, 201);
  const id = made.body.results?.ticket_id;
  assert.is(made.body.results?.ticket_number, `T-${id}`);
  assert.match(String(made.headers.location), new RegExp(`/rest/public/ticket/detail/${id}$`));
  assert.ok(made.headers.etag);
  assert.is((await shop().send('POST', '/rest/public/ticket/create', { talk_id: talk, junk: 1 })).status, 400);
});

after('an error, set or thrown, takes the change back', async () => {
  const talk = await addTalk(5);
  const refused = await buy(talk, 'refuse');
  assert.is(refused.status, 409);
  assert.is(refused.body.message, 'Not this seat');
  assert.is(refused.body.results, undefined);
  assert.is((await buy(talk, 'throw')).status, 500);
  assert.is(await count(talk), 0);
});

after('a lock sells one of one, to twenty at once', async () => {
  const talk = await addTalk(1);
  const answers = await Promise.all(Array.from({ length: 20 }, () => buy(talk)));
  assert.equal(answers.map(({ status }) => status).sort(), [201, ...Array.from({ length: 19 }, () => 409)]);
  assert.is(await count(talk), 1);
});

after('runs again after a conflict, with request and response as they were', async () => {
  const talk = await addTalk(1);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => shop().send('POST', '/rest/buy', { talk_id: talk })),
  );
  const sold = answers.filter(({ status }) => status === 200);
  assert.equal(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 409)]);
  assert.is(sold[0]?.body.results?.stage, 1);
  assert.is(await count(talk), 1);
});

after('hears every write of its schema, and reads', async () => {
  const talk = await addTalk(1);
  const send = shop().send;
  const seen = async (method: string, path: string, body?: unknown) =>
    (await send(method, path, body)).body.results?.seen;
  assert.is(await seen('POST', '/rest/public/talk/create', { talk_title: 'B' }), 'system-model-create');
  assert.is(await seen('PATCH', `/rest/public/talk/update/${talk}`, { talk_title: 'C' }), 'system-model-update');
  assert.is(await seen('GET', `/rest/public/talk/detail/${talk}`), 'system-model-detail');
  assert.is(await seen('DELETE', `/rest/public/talk/remove/${talk}`), 'system-model-remove');
});

after('takes an import back', async () => {
  const rows = ['a', 'b', 'c'].map((talk_title) => ({ talk_title }));
  const total = async () => (await shop().emit('system-model-search', { schema: 'talk', limit: 1 })).total;
  const before = await total();
  const failed = await shop().site.app.emit('system-model-import', { schema: 'talk', rows });
  assert.is(failed.getMessage(), 'Three are too many');
  assert.is(failed.hasResults(), false);
  assert.is(await total(), before);
  assert.is((await shop().emit('system-model-import', { schema: 'talk', rows: rows.slice(1) })).new, 2);
});

after('follows an event of one’s own; a hand-written hook needs no listener', async () => {
  assert.equal((await shop().site.app.emit('order-paid', {})).getResults(), { after: true });
  const fired = await shop().site.app.emit('order-shipped', { order: 7 });
  assert.is(fired.isError(), false);
  await until(async () => {
    const deliveries = await shop().emit('webhook-delivery-search', {});
    return JSON.stringify(deliveries).includes('order.shipped') || undefined;
  });
});

after('a listener that stops a create says what came of it', async () => {
  const stopped = await shop().send('POST', '/rest/public/talk/create', { talk_title: 'stop' });
  assert.is(stopped.status, 500);
  const logged = shop().log();
  assert.match(logged, /stopped with neither results nor an error/);
  assert.match(logged, /controller\/shop\.ts:5/);
  const answered = await shop().send('POST', '/rest/public/talk/create', { talk_title: 'answer' });
  assert.equal([answered.status, answered.body.results?.talk_id], [201, 7]);
});

after('refuses a lock outside a transaction, and in one with attempts', async () => {
  assert.is((await shop().send('POST', '/rest/lock-outside', {})).status, 500);
  assert.is((await shop().send('POST', '/rest/lock-serializable', {})).status, 500);
  assert.match(shop().log(), /LOCK_OUTSIDE/);
  assert.match(shop().log(), /LOCK_SERIALIZABLE/);
});

after('PostgreSQL tells of a read before a write without a lock, once for each place', async () => {
  await shop().send('POST', '/rest/unlocked', {});
  await shop().send('POST', '/rest/unlocked', {});
  const talk = await addTalk(0);
  await buy(talk, 'unlocked');
  const told = shop().site.log.filter((line) => line.includes('transaction.unlocked'));
  const places = told.map((line) => (JSON.parse(line) as { place: string }).place);
  assert.equal(
    places,
    SERVER === undefined ? [] : ['app/www/src/controller/shop.ts:51', 'app/www/src/controller/shop.ts:9'],
  );
});

after.run();
