import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Shop, startShop } from './_shop.ts';

const code = `
import type { App } from 'treadle';
export default function shop(app: App) {
  app.rest({
    access: 'public', method: 'post', path: '/public/count', name: 'count',
    body: { type: 'object', properties: { seats: { type: 'integer', minimum: 1 }, name: { type: 'string' } }, required: ['seats'] },
    answer: { type: 'object', properties: { twice: { type: 'integer' } }, required: ['twice'] },
  }, (request, response) => void response.setResults({ twice: 2 * request.getStage('seats') }));
}
`;

const shape = suite('the shape of a hand-written call');
const world: { shop?: Shop } = {};
shape.before(async () => {
  world.shop = await startShop({ code });
});
shape.after(() => world.shop?.site.close());
const send = (body: unknown) => (world.shop as Shop).send('POST', '/rest/public/count', body);

shape('checks the body: 400 for a key, 422 for a value', async () => {
  const good = await send({ seats: 2 });
  assert.equal([good.status, good.body.results], [200, { twice: 4 }]);
  const key = await send({ seats: 2, seat: 1 });
  assert.equal([key.status, /Did you mean "seats"/.test(String(key.body.message))], [400, true]);
  const value = await send({ seats: 0 });
  assert.equal([value.status, Object.keys(value.body.validation ?? {})], [422, ['seats']]);
  assert.is((await send({})).status, 422);
});

shape('is in the document', async () => {
  const { body } = await (world.shop as Shop).send('GET', '/developer/docs/openapi.json');
  const { paths } = body as { paths: Record<string, { post?: object }> };
  const text = JSON.stringify(paths['/rest/public/count']?.post);
  assert.match(text, /"seats":\{"type":"integer","minimum":1\}/);
  assert.match(text, /"twice"/);
});

shape.run();
