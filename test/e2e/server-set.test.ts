// Also on PostgreSQL: the server sets columns in the same statement.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Shop, startShop } from './_shop.ts';

const code = `
import type { App } from 'treadle';
export default function shop(app: App) {
  app.after('system-model-create', { schema: 'ticket' }, async (request, response) => {
    const counted = await app.emit('system-model-update', {
      schema: 'talk', talk_id: response.getResults('talk_id'), talk_left: { increment: -1 },
    });
    if (counted.isError()) response.setStatus(409).setError(true, 'Sold out');
  });
  app.post('/form', async (request, response) => {
    await app.emit('system-model-update', request.setStage('schema', 'talk'), response);
  });
}
`;
const talk = {
  fields: [
    { name: 'title', type: 'text' },
    {
      name: 'left',
      type: 'number',
      default: 3,
      write: 'server',
      validation: [{ method: 'gte', parameters: 0, message: 'None is left' }],
    },
    { name: 'price', type: 'price' },
  ],
};

const server = suite('fields that the server sets');
const world: { shop?: Shop } = {};
const shop = (): Shop => world.shop as Shop;

server.before(async () => {
  world.shop = await startShop({ code, talk });
});
server.after(() => shop().site.close());

const addTalk = async (): Promise<number> =>
  Number((await shop().emit('system-model-create', { schema: 'talk', talk_title: 'A' })).talk_id);
const read = (talk_id: number) => shop().emit('system-model-detail', { schema: 'talk', talk_id });

server('a request may not bring them: 400 in a body, 403 by a form; code may', async () => {
  const talk_id = await addTalk();
  const created = await shop().send('POST', '/rest/public/talk/create', { talk_title: 'B', talk_left: 9 });
  assert.is(created.status, 400);
  assert.match(String(created.body.message), /"talk_left" is set by the site/);
  const changed = await shop().send('PATCH', `/rest/public/talk/update/${talk_id}`, { talk_left: { increment: 5 } });
  assert.is(changed.status, 400);
  const form = await shop()
    .site.browser()
    .post('/form', { talk_id: String(talk_id), talk_left: '9' });
  assert.is(form.status, 403);
  assert.is((await read(talk_id)).talk_left, 3);
  await shop().emit('system-model-update', { schema: 'talk', talk_id, talk_left: 7 });
  assert.is((await read(talk_id)).talk_left, 7);
});

server('are in no document', async () => {
  const { body } = await shop().send('GET', '/developer/docs/openapi.json');
  const text = JSON.stringify(body);
  assert.ok(text.includes('talk_title'));
  const { paths } = body as { paths: Record<string, { post?: { requestBody?: unknown } }> };
  const create = JSON.stringify(paths['/rest/public/talk/create']?.post?.requestBody);
  assert.match(create, /talk_title/);
  assert.not.match(create, /talk_left/);
});

server('an increment counts every one of many at once, and stops at the rule', async () => {
  const talk_id = await addTalk();
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => shop().send('POST', '/rest/public/ticket/create', { talk_id })),
  );
  assert.equal(answers.map(({ status }) => status).sort(), [
    ...Array.from({ length: 3 }, () => 201),
    ...Array.from({ length: 9 }, () => 409),
  ]);
  assert.is((await read(talk_id)).talk_left, 0);
});

server('an increment adds to numbers only, keeps decimals, and is refused in what a request brought', async () => {
  const talk_id = await addTalk();
  await shop().emit('system-model-update', { schema: 'talk', talk_id, talk_price: 0.1 });
  await shop().emit('system-model-update', { schema: 'talk', talk_id, talk_price: { increment: 0.2 } });
  assert.is(Number((await read(talk_id)).talk_price), 0.3);
  const sent = await shop().send('PATCH', `/rest/public/talk/update/${talk_id}`, { talk_price: { increment: 1 } });
  assert.is(sent.status, 422);
});

server.run();
