import type { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../src/database/database.ts';
import { type JsonAnswer as Answer, type Site, startSite } from './_site.ts';

const test = suite('rest writes: batch, restore, links, and what an attacker tries');
const state: { site?: Site; una: string; vic: string } = { una: '', vic: '' };
test.before(async () => {
  const site = await startSite();
  state.site = site;
  state.una = await site.token();
  state.vic = await site.token({ profile: site.vic });
});
test.after(() => state.site?.close());

type Who = 'una' | 'vic';
const send = (who: Who, method: string, path: string, json?: unknown): Promise<Answer> =>
  (state.site as Site).send(method, `/rest/user${path}`, {
    token: state[who],
    ...(json === undefined ? {} : { json }),
  });

async function create(who: Who, schema: string, values: Record<string, unknown>): Promise<number> {
  const made = await send(who, 'POST', `/${schema}/create`, values);
  assert.is(made.status, 201, JSON.stringify(made.json));
  return made.json.results[`${schema}_id`];
}
const note = (who: Who, text = 'A note'): Promise<number> => create(who, 'note', { note_text: text });

async function find(schema: string, id: number): Promise<Record<string, unknown>> {
  const { app } = state.site as Site;
  const found = await app.emit('system-model-detail', {
    schema,
    [`${schema}_id`]: id,
    filter: { [`${schema}_active`]: 'any' },
  });
  return found.getResults() as Record<string, unknown>;
}
const count = async (): Promise<number> => {
  const { app } = state.site as Site;
  return (await app.emit('system-model-search', { schema: 'note' })).getResults<number>('total');
};
const batch = (who: Who, operations: unknown) => send(who, 'POST', '/note/batch', { operations });

test('a batch does all in order', async () => {
  const [kept, gone] = [await note('una'), await note('una')];
  const done = await batch('una', [
    { action: 'create', values: { note_text: 'New', note_data: { a: 1 } } },
    { action: 'update', id: kept, values: { note_hint: 'Changed' } },
    { action: 'remove', id: gone },
    { action: 'restore', id: gone },
    { action: 'remove', id: String(gone) },
  ]);
  assert.is(done.status, 200, JSON.stringify(done.json));
  const { rows } = done.json.results;
  assert.is(rows.length, 5);
  assert.is(rows[0].note_text, 'New');
  assert.is(rows[0].profile_id, (state.site as Site).una);
  assert.is(rows[1].note_hint, 'Changed');
  assert.equal(
    rows.slice(2).map((row: Record<string, unknown>) => row.note_active),
    [0, 1, 0],
  );
});

test('a batch that fails at one place writes nothing, and says where and with which status', async () => {
  const before = await count();
  const theirs = await note('vic');
  const first = { action: 'create', values: { note_text: 'Not kept' } };
  const cases: [unknown[], number, string][] = [
    [[first, { action: 'create', values: {} }], 422, '/operations/1/values/note_text'],
    [[first, { action: 'update', id: theirs, values: { note_text: 'Mine' } }], 404, '/operations/1'],
    [[first, { action: 'remove', id: theirs }], 404, '/operations/1'],
    [[first, { action: 'remove', id: 99_999 }], 404, '/operations/1'],
    [[first, { action: 'update', id: theirs, values: { note_txt: 'x' } }], 400, '/operations/1/values/note_txt'],
    [[first, { action: 'create', values: { note_id: 7, note_text: 'x' } }], 400, '/operations/1/values/note_id'],
    [[first, { action: 'drop', id: 1 }], 400, '/operations/1/action'],
    [[first, { action: 'update', values: {} }], 400, '/operations/1/id'],
    [[first, { action: 'remove', id: 1, values: {} }], 400, '/operations/1/values'],
    [[first, { action: 'create', value: {} }], 400, '/operations/1/value'],
    [[first, 'x'], 400, '/operations/1'],
  ];
  for (const [operations, status, pointer] of cases) {
    const failed = await batch('una', operations);
    assert.is(failed.status, status, JSON.stringify([operations[1], failed.json]));
    let place: unknown = failed.json.validation;
    for (const key of pointer.split('/').slice(1)) place = (place as Record<string, unknown> | undefined)?.[key];
    assert.type(place, 'string', `${pointer} in ${JSON.stringify(failed.json.validation)}`);
    assert.ok(
      failed.json.errors?.some((error: { pointer: string }) => error.pointer === pointer),
      `${pointer} in ${JSON.stringify(failed.json.errors)}`,
    );
  }
  assert.is(await count(), before + 1, 'only the other one’s own note');
  assert.is((await find('note', theirs)).note_text, 'A note');
});

test('a batch has 1 to 100 operations, and nothing else', async () => {
  for (const operations of [
    undefined,
    null,
    {},
    'x',
    [],
    Array.from({ length: 101 }, () => ({ action: 'remove', id: 1 })),
  ]) {
    assert.is((await batch('una', operations)).status, 400);
  }
  const odd = await send('una', 'POST', '/note/batch', {
    operations: [{ action: 'remove', id: 1 }],
    schema: 'profile',
  });
  assert.is(odd.status, 400);
  const many = Array.from({ length: 100 }, (_, index) => ({
    action: 'create',
    values: { note_text: `Note ${index}` },
  }));
  const done = await batch('una', many);
  assert.is(done.status, 200);
  assert.is(done.json.results.rows.length, 100);
});

test('hooks hear each operation of a batch that was kept, and nothing of one that was not', async () => {
  const { kysely } = (state.site as Site).app.services.database;
  const hear = async (): Promise<Record<string, unknown>[]> =>
    (await kysely.selectFrom('treadle_event').select(['data']).orderBy('event_id').execute()).map(({ data }) =>
      JSON.parse(String(data)),
    );
  const before = (await hear()).length;
  const texts = ['heard 1', 'heard 2'].map((note_text) => ({ action: 'create', values: { note_text } }));
  assert.is((await batch('una', [...texts, { action: 'create', values: {} }])).status, 422);
  assert.is((await hear()).length, before);
  assert.is((await batch('una', texts)).status, 200);
  const data = JSON.stringify(await hear());
  // The pattern also matches the batch itself, as one more event.
  assert.is((await hear()).length, before + 3);
  for (const text of ['heard 1', 'heard 2']) assert.match(data, text);
});

test('each operation of a batch counts against the limit', async () => {
  const left = ({ headers }: Answer): number => Number(/r=(\d+)/.exec(String(headers.ratelimit ?? ''))?.[1]);
  const first = left(await send('vic', 'GET', '/note/search'));
  const operation = { action: 'create', values: { note_text: 'x' } };
  const second = await batch('vic', [operation, operation, operation]);
  assert.is(second.status, 200);
  assert.is(left(second), first - 3);
});

test('a batch patches: null clears, objects merge', async () => {
  const id = await create('una', 'note', { note_text: 'A', note_hint: 'h', note_data: { a: 1, b: 2 } });
  const values = { note_hint: null, note_data: { a: null, c: 3 } };
  assert.is((await batch('una', [{ action: 'update', id, values }])).status, 200);
  const row = await find('note', id);
  assert.is(row.note_hint, null);
  assert.equal(row.note_data, { b: 2, c: 3 });
});

test('restore brings an own row back, and nobody else’s', async () => {
  const id = await note('una');
  assert.is((await send('una', 'DELETE', `/note/remove/${id}`)).status, 200);
  assert.is((await send('una', 'GET', `/note/detail/${id}`)).status, 404);
  assert.is((await send('vic', 'POST', `/note/restore/${id}`)).status, 404);
  assert.is((await find('note', id)).note_active, 0);
  assert.is((await send('una', 'POST', `/note/restore/${id}`)).status, 200);
  assert.is((await send('una', 'GET', `/note/detail/${id}`)).status, 200);
});

test('links: N:N, to itself, 1:N and 1:0, twice is once, and back', async () => {
  const [one, two] = [await note('una'), await note('una')];
  const folder = await create('una', 'folder', { folder_name: 'F' });
  const { app } = state.site as Site;
  const tag = (await app.emit('system-model-create', { schema: 'tag', tag_word: 'w' })).getResults('tag_id');
  const pairs: [string, string, (row: Record<string, unknown>) => unknown][] = [
    ['/note', `/${one}/tag/${tag}`, ({ tag: list }) => (list as unknown[]).length],
    ['/note', `/${one}/related/${two}`, ({ related: list }) => (list as unknown[]).length],
    ['/folder', `/${folder}/note/${one}`, ({ note: list }) => (list as unknown[]).length],
    ['/folder', `/${folder}/cover/${one}`, ({ cover }) => (cover === null ? 0 : 1)],
  ];
  for (const [from, ids, read] of pairs) {
    const look = async () =>
      read((await send('una', 'GET', `${from}/detail/${from === '/note' ? one : folder}`)).json.results);
    for (const _ of [1, 2]) {
      const linked = await send('una', 'PUT', `${from}/link${ids}`);
      assert.is(linked.status, 200, `${ids} ${JSON.stringify(linked.json)}`);
    }
    assert.is(await look(), 1, ids);
    assert.is((await send('una', 'DELETE', `${from}/unlink${ids}`)).status, 200, ids);
    assert.is(await look(), 0, ids);
  }
});

test('nobody links, moves or parts what is another’s', async () => {
  const [mine, theirs] = [await note('una'), await note('vic', 'Secret')];
  const folder = await create('una', 'folder', { folder_name: 'Mine' });
  const hidden = await create('vic', 'folder', { folder_name: 'Hidden' });
  assert.is((await send('vic', 'PUT', `/folder/link/${hidden}/note/${theirs}`)).status, 200);
  const tries: [string, string][] = [
    ['PUT', `/folder/link/${folder}/note/${theirs}`], // their row into my list
    ['PUT', `/folder/link/${hidden}/note/${mine}`], // my row into their private list
    ['PUT', `/folder/link/${folder}/cover/${theirs}`], // my detail would show their row
    ['PUT', `/note/link/${mine}/related/${theirs}`],
    ['PUT', `/note/link/${theirs}/related/${mine}`],
    ['DELETE', `/folder/unlink/${hidden}/note/${theirs}`],
    ['DELETE', `/note/unlink/${theirs}/related/${mine}`],
    ['PUT', `/folder/link/${folder}/note/999999`],
  ];
  for (const [method, path] of tries) {
    const refused = await send('una', method, path);
    assert.is(refused.status, 404, `${path} ${JSON.stringify(refused.json)}`);
    assert.not.match(JSON.stringify(refused.json), /Secret|Hidden/);
  }
  assert.is((await find('note', theirs)).folder_id, hidden, 'still where it was');
  // A child with a parent is not moved, even within one's own rows.
  const other = await create('una', 'folder', { folder_name: 'Other' });
  assert.is((await send('una', 'PUT', `/folder/link/${folder}/note/${mine}`)).status, 200);
  assert.is((await send('una', 'PUT', `/folder/link/${other}/note/${mine}`)).status, 409);
  assert.is((await send('una', 'PATCH', `/note/update/${mine}`, { folder_id: other })).status, 409);
  assert.is((await send('una', 'PATCH', `/note/update/${mine}`, { folder_id: null })).status, 200);
  assert.is((await find('note', mine)).folder_id, null);
});

test('a key in a body may name own rows, unowned rows, and rows that everybody may read', async () => {
  const theirs = await note('vic', 'Secret');
  const hidden = await create('vic', 'folder', { folder_name: 'Hidden' });
  const post = await create('vic', 'post', { post_title: 'For all' });
  const tries: [string, Record<string, unknown>, string][] = [
    ['folder', { folder_name: 'F', cover_id: theirs }, 'cover_id'],
    ['folder', { folder_name: 'F', note_id: theirs }, 'note_id'],
    ['note', { note_text: 'N', folder_id: hidden }, 'folder_id'],
    ['note', { note_text: 'N', related_id: theirs }, 'related_id'],
  ];
  for (const [schema, values, key] of tries) {
    const refused = await send('una', 'POST', `/${schema}/create`, values);
    assert.ok(
      refused.status >= 400 && refused.status < 500,
      `${key} ${refused.status} ${JSON.stringify(refused.json)}`,
    );
    assert.not.match(JSON.stringify(refused.json), /Secret|Hidden/);
  }
  const comment = await create('una', 'comment', { comment_text: 'Nice', post_id: post });
  assert.is((await find('comment', comment)).post_id, post);
});

test('mass assignment: owner, times, active and id stay what they are', async () => {
  const { una, vic } = state.site as Site;
  const odd = { profile_id: vic };
  const id = await create('una', 'note', { note_text: 'N', ...odd });
  const check = async () => {
    const row = await find('note', id);
    assert.is(row.profile_id, una);
    assert.is(row.note_active, 1);
    assert.not.match(String(row.note_created), '2001');
    assert.not.match(String(row.note_updated), '2001');
  };
  assert.is((await send('una', 'PATCH', `/note/update/${id}`, odd)).status, 200);
  await check();
  assert.is((await batch('una', [{ action: 'update', id, values: odd }])).status, 200);
  await check();
  const time = '2001-01-01 00:00:00';
  for (const values of [{ note_active: 0 }, { note_created: time }, { note_updated: time }, { note_id: 1 }]) {
    assert.is((await send('una', 'POST', '/note/create', values)).status, 400, JSON.stringify(values));
    assert.is((await send('una', 'PATCH', `/note/update/${id}`, values)).status, 400, JSON.stringify(values));
    assert.is((await batch('una', [{ action: 'update', id, values }])).status, 400, JSON.stringify(values));
  }
  await check();
  const created = await batch('una', [{ action: 'create', values: { note_text: 'B', ...odd } }]);
  assert.is(created.json.results.rows[0].profile_id, una);
  // Neither by the query string, nor by a second id in the path.
  const theirs = await note('vic');
  const path = `/note/update/${id}?note_id=${theirs}&profile_id=${vic}&schema=profile`;
  assert.is((await send('una', 'PATCH', path, { note_hint: 'x' })).status, 200);
  assert.is((await find('note', theirs)).note_hint, null);
  assert.is((await send('una', 'DELETE', `/note/remove/${theirs}?note_id=${id}`)).status, 404);
  assert.is((await send('una', 'GET', `/note/detail/${theirs}`)).status, 404);
  assert.is((await send('una', 'PATCH', `/profile/update/${vic}`, { profile_name: 'Stolen' })).status, 404);
  const profiles = [{ action: 'update', id: vic, values: { profile_name: 'Stolen' } }];
  assert.is((await send('una', 'POST', '/profile/batch', { operations: profiles })).status, 404);
});

test('bodies that no write takes are 415 or 400, and change nothing', async () => {
  const site = state.site as Site;
  const before = await count();
  for (const [type, status] of [
    ['text/plain', 415],
    ['application/xml', 415],
    ['application/json', 400],
  ] as const) {
    const answer = await site.send('POST', '/rest/user/note/create', {
      token: state.una,
      headers: { 'content-type': type },
      body: '[{"note_text":"x"}]',
    });
    assert.is(answer.status, status, type);
  }
  assert.is(await count(), before);
});

/** The texts of the statements that write during a task. */
async function listWrites(database: Database, task: () => Promise<void>): Promise<string[]> {
  const { writeRow, run } = database;
  const texts: string[] = [];
  const note = ({ sql }: CompiledQuery): void => {
    const [, verb] = /^(?:with treadle_written as \()?(insert|update)/.exec(sql.replaceAll('"', '')) ?? [];
    if (verb !== undefined && /\bfolder\b/.test(sql)) texts.push(verb);
  };
  if (writeRow === undefined)
    database.run = (query, ...rest) => {
      note(query);
      return run.call(database, query, ...rest) as ReturnType<Database['run']> as never;
    };
  else
    database.writeRow = (write) => {
      note(write.query);
      return writeRow.call(database, write);
    };
  try {
    await task();
  } finally {
    if (writeRow === undefined) database.run = run;
    else database.writeRow = writeRow;
  }
  return texts;
}

test('a create and an update of a user take one statement', async () => {
  const { database } = (state.site as Site).app.services;
  const texts = await listWrites(database, async () => {
    // No hook hears of folders, as one does of notes.
    const id = await create('una', 'folder', { folder_name: 'One' });
    const changed = await send('una', 'PATCH', `/folder/update/${id}`, { folder_name: 'Changed' });
    assert.is(changed.status, 200, JSON.stringify(changed.json));
  });
  assert.equal(texts, ['insert', 'update']);
});

test.run();
