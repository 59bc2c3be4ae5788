import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as z from 'zod';
import { compileCallShape } from '../../src/plan/call/call-shape.ts';
import { type Shop, startShop } from './_shop.ts';

const code = `
import type { App } from 'treadle';
export default function shop(app: App) {
  app.rest({
    access: 'public', method: 'post', path: '/public/count', name: 'count',
    body: { type: 'object', properties: { seats: { type: 'integer', minimum: 1 }, name: { type: 'string' } }, required: ['seats'] },
    answer: { type: 'object', properties: { twice: { type: 'integer' } }, required: ['twice'] },
  }, (request, response) => void response.setResults({ twice: 2 * request.getStage('seats') }));
  app.rest({ access: 'public', method: 'post', path: '/public/made', name: 'made', status: 201, answer: { type: 'object', properties: {} } },
    (request, response) => request.hasStage('no') ? response.refuse({ status: 409, message: 'no' }) : void response.setResults({}));
  app.rest({ access: 'public', method: 'post', path: '/public/odd', name: 'odd' }, (request, response) => void response.setStatus(201).setResults({}));
  app.rest({
    access: 'public', method: 'post', path: '/public/all',
    body: { type: 'object', required: ['text', 'n'], properties: {
      text: { type: 'string', minLength: 10 }, few: { type: 'string', maxLength: 2 }, whole: { type: 'integer' },
      n: { type: 'number', exclusiveMinimum: 0, maximum: 9 }, mail: { type: 'string', format: 'email' }, flag: { type: 'boolean' },
      list: { type: 'array', items: { type: 'string' }, minItems: 1 }, one: { enum: ['a', 'b'] }, step: { type: 'number', multipleOf: 5 },
      form: { type: 'string', pattern: '^x' },
    } },
  }, (request, response) => void response.setResults({}));
}
`;

const shape = suite('the shape of a hand-written call');
const world: { shop?: Shop } = {};
shape.before(async () => {
  world.shop = await startShop({ code, settings: { api: true, languages: ['en', 'de'] } });
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

const WRONG = {
  ...{ text: 'short', few: 'abc', n: 0, whole: 1.5, mail: 'ann', list: [], one: 'c', flag: 'yes', step: 3 },
  form: 'y',
};
const WORDS: Readonly<Record<string, readonly [string, string]>> = {
  text: ['must have at least 10 characters', 'muss mindestens 10 Zeichen haben'],
  few: ['must have at most 2 characters', 'darf höchstens 2 Zeichen haben'],
  n: ['must be more than 0', 'muss größer als 0 sein'],
  whole: ['must be a whole number', 'muss eine ganze Zahl sein'],
  mail: ['must be an e-mail address such as ann@example.org', 'muss eine E-Mail-Adresse wie ann@example.org sein'],
  list: ['cannot be empty', 'darf nicht leer sein'],
  one: ['must be one of a, b', 'muss eines von a, b sein'],
  flag: ['must be true or false', 'muss wahr oder falsch sein'],
  step: ['must be a multiple of 5', 'muss ein Vielfaches von 5 sein'],
  form: ['does not have the right form', 'hat nicht die richtige Form'],
};
for (const [index, language] of ['en', 'de'].entries())
  shape(`says what is wrong in the words of fields: ${language}`, async () => {
    const shop = world.shop as Shop;
    const headers = { 'accept-language': language };
    const { status, body } = await shop.send('POST', '/rest/public/all', WRONG, headers);
    assert.is(status, 422);
    assert.equal(body.validation, Object.fromEntries(Object.entries(WORDS).map(([key, words]) => [key, words[index]])));
    const none = await shop.send('POST', '/rest/public/all', {}, headers);
    const required = ['is required', 'ist erforderlich'][index];
    assert.equal([...new Set(Object.values(none.body.validation ?? {}))], [required]);
    assert.is(none.body.message, `text: ${required}`);
  });

shape('a text of the shape itself comes first', async () => {
  const { check } = compileCallShape(z.object({ own: z.string('Write a name'), other: z.string() }), 'The body');
  const { issues } = await check({ own: 1, other: 1 });
  const messages = issues.map(({ message }) => message);
  assert.equal(messages, ['Write a name', 'must be text']);
});

shape('answers the status that it says, in the document too; another one is logged once', async () => {
  const shop = world.shop as Shop;
  assert.is((await shop.send('POST', '/rest/public/made', {})).status, 201);
  assert.is((await shop.send('POST', '/rest/public/made', { no: 1 })).status, 409);
  const { body } = await shop.send('GET', '/developer/docs/openapi.json');
  const { paths } = body as unknown as { paths: Record<string, { post: { responses: object } }> };
  const statuses = (path: string) =>
    Object.keys(paths[path]?.post.responses ?? {}).filter((key) => /^2\d\d$/.test(key));
  assert.equal([statuses('/rest/public/made'), statuses('/rest/public/odd')], [['201'], ['200']]);
  for (let times = 0; times < 2; times += 1) assert.is((await shop.send('POST', '/rest/public/odd', {})).status, 201);
  assert.is(shop.log().split('The call odd answers 201, but its docs say 200.').length - 1, 1);
});

shape('is in the document', async () => {
  const { body } = await (world.shop as Shop).send('GET', '/developer/docs/openapi.json');
  const { paths, components } = body as unknown as {
    paths: Record<string, { post?: object }>;
    components: { schemas: Record<string, object> };
  };
  const text = JSON.stringify(paths['/rest/public/count']?.post);
  const name = /#\/components\/schemas\/([\w-]+-body)"/.exec(text)?.[1] ?? '';
  assert.match(JSON.stringify(components.schemas[name]), /"seats":\{"type":"integer","minimum":1\}/);
  assert.match(text, /"twice"/);
});

shape.run();
