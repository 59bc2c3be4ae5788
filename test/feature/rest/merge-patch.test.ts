import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mergePatch } from '../../../src/model/json/merge-patch.ts';
import { type Site, startSite } from './_site.ts';

const test = suite('rest merge patch');
const state: { site?: Site; token: string } = { token: '' };
test.before(async () => {
  state.site = await startSite();
  state.token = await state.site.token();
});
test.after(() => state.site?.close());

const MERGE = { 'content-type': 'application/merge-patch+json' };

async function create(values: Record<string, unknown>): Promise<number> {
  const site = state.site as Site;
  const json = { note_text: 'A note', ...values };
  const made = await site.send('POST', '/rest/user/note/create', { token: state.token, json });
  assert.is(made.status, 201, JSON.stringify(made.json));
  return made.json.results.note_id;
}

const patch = (id: number, body: string, headers: Record<string, string> = MERGE, method = 'PATCH') =>
  (state.site as Site).send(method, `/rest/user/note/update/${id}`, { token: state.token, headers, body });

const read = async (id: number): Promise<Record<string, unknown>> =>
  (await (state.site as Site).send('GET', `/rest/user/note/detail/${id}`, { token: state.token })).json.results;

/** The examples of RFC 7396, appendix A: stored value, patch, result. */
const EXAMPLES: readonly (readonly [target: unknown, patch: unknown, result: unknown])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

for (const [target, change, result] of EXAMPLES) {
  test(`H6, RFC 7396: ${JSON.stringify(target)} with ${JSON.stringify(change)} is ${JSON.stringify(result)}`, async () => {
    assert.equal(mergePatch(target, change), result);
    const id = await create({ note_data: target });
    const done = await patch(id, JSON.stringify({ note_data: change }));
    assert.is(done.status, 200, JSON.stringify(done.json));
    assert.equal((await read(id)).note_data, result);
  });
}

test('null clears, what is absent stays, lists are replaced, and a required column is not cleared', async () => {
  const id = await create({ note_hint: 'h', note_list: ['a', 'b'], note_data: { keep: 1, go: 2 } });
  const done = await patch(id, JSON.stringify({ note_hint: null, note_list: ['c'], note_data: { go: null } }));
  assert.is(done.status, 200);
  const row = await read(id);
  assert.is(row.note_text, 'A note');
  assert.is(row.note_hint, null);
  assert.equal(row.note_list, ['c']);
  assert.equal(row.note_data, { keep: 1 });
  const refused = await patch(id, '{"note_text":null}');
  assert.is(refused.status, 422);
  assert.type(refused.json.validation.note_text, 'string');
  assert.is((await read(id)).note_text, 'A note');
  // With another method an object replaces the stored one.
  assert.is((await patch(id, '{}')).status, 200);
});

test('of many that add a key each at once, every key stays', async () => {
  const id = await create({ note_data: { first: 1 } });
  const keys = Array.from({ length: 20 }, (_, index) => `key${index}`);
  const done = await Promise.all(keys.map((key) => patch(id, JSON.stringify({ note_data: { [key]: 1 } }))));
  assert.equal([...new Set(done.map(({ status }) => status))], [200]);
  assert.equal(Object.keys((await read(id)).note_data as object).sort(), ['first', ...keys].sort());
});

test('a group of fields is merged, and checked as a whole', async () => {
  const id = await create({ note_place: { street: 'High Street', city: 'Bath' } });
  assert.is((await patch(id, '{"note_place":{"city":"York"}}')).status, 200);
  assert.equal((await read(id)).note_place, { street: 'High Street', city: 'York' });
  assert.is((await patch(id, '{"note_place":{"street":null}}')).status, 422);
  assert.is((await patch(id, '{"note_place":{"town":"York"}}')).status, 400);
  assert.is((await patch(id, '{"note_place":null}')).status, 200);
  assert.is((await read(id)).note_place, null);
});

test('types: a 415 of a create names what it takes', async () => {
  const sent = { token: state.token, body: 'x', headers: { 'content-type': 'text/plain' } };
  const refused = await (state.site as Site).send('POST', '/rest/user/note/create', sent);
  assert.is(refused.status, 415);
  assert.match(String(refused.headers['accept-post']), 'application/json');
  assert.is(refused.headers['accept-patch'], undefined);
});

test('types: JSON and merge patch are taken, with parameters too; anything else is 415', async () => {
  const id = await create({});
  for (const type of [
    'application/json',
    'application/merge-patch+json',
    'Application/JSON; charset=utf-8',
    'text/plain',
  ]) {
    assert.is((await patch(id, '{"note_hint":"x"}', { 'content-type': type })).status, 200, type);
  }
  for (const type of ['text/html', 'application/json-patch+json', 'application/x-www-form-urlencoded', 'text/json']) {
    const refused = await patch(id, '{"note_hint":"no"}', { 'content-type': type });
    assert.is(refused.status, 415, type);
    assert.is(refused.headers['accept-patch'], 'application/merge-patch+json, application/json, multipart/form-data');
  }
  assert.is((await read(id)).note_hint, 'x');
});

test('a body is an object, without names that reach a prototype, and of known columns', async () => {
  const id = await create({});
  for (const body of ['[]', '"x"', '1', 'null', '[{"note_hint":"x"}]'])
    assert.is((await patch(id, body)).status, 400, body);
  for (const body of [
    '{"__proto__":{"polluted":1}}',
    '{"note_data":{"__proto__":{"polluted":1}}}',
    '{"note_data":{"\\u005f_proto__":{"polluted":1}}}',
    '{"note_data":[{"constructor":{"prototype":{"polluted":1}}}]}',
  ]) {
    const refused = await patch(id, body);
    assert.is(refused.status, 400, body);
    assert.match(refused.json.message, 'prototype');
  }
  assert.is(({} as { polluted?: number }).polluted, undefined);
  const unknown = await patch(id, '{"note_hnt":"x","hint":"y"}');
  assert.is(unknown.status, 400);
  assert.match(unknown.json.validation.note_hnt, 'Did you mean "note_hint"?');
  assert.match(unknown.json.validation.hint, 'Did you mean "note_hint"?');
  assert.is((await patch(id, '{"note_hint":')).status, 400);
});

test.run();
