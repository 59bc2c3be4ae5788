import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemRandom } from '../../../src/core/clock.ts';
import { only } from '../../database/_where.ts';
import { results, startWorld, type World } from './_server.ts';

const test = suite('rest: what a transaction holds');
const at: { world?: World; wasInside: boolean[] } = { wasInside: [] };
const world = (): World => at.world as World;
const onServer = only('server', 'rest: what a transaction holds', test);

const MEMBER = {
  name: 'member',
  singular: 'Member',
  plural: 'Members',
  fields: [
    { name: 'slug', type: 'text' },
    { name: 'password', type: 'password' },
    { name: 'data', type: 'rawjson' },
  ],
};
const call = (method: string, path: string, action: string, schema = 'member') => ({
  title: path,
  access: 'public',
  method,
  path,
  event: `system-model-${action}`,
  parameters: { schema },
});
/** Only a password's salt requests this many random bytes. */
const SALT_BYTES = 16;

test.before(async () => {
  const files = {
    'config/schema/member.json': MEMBER,
    'config/rest/public-member-create.json': call('post', '/public/member/create', 'create'),
    'config/rest/public-member-update.json': call('patch', '/public/member/update/:member_id', 'update'),
    'config/rest/public-member-batch.json': call('post', '/public/member/batch', 'batch'),
    'config/rest/public-member-import.json': call('post', '/public/member/import', 'import'),
    'config/rest/public-signup.json': {
      ...call('post', '/public/signup', 'create'),
      event: 'auth-create',
      parameters: {},
    },
    'config/rest/public-note-batch.json': call('post', '/public/note/batch', 'batch', 'note'),
  };
  const random: typeof systemRandom = (bytes) => {
    const { database } = world().app.services;
    if (at.world && bytes === SALT_BYTES) at.wasInside.push(database.isInTransaction);
    return systemRandom(bytes);
  };
  at.world = await startWorld({ files, random: (bytes) => (at.world ? random(bytes) : systemRandom(bytes)) });
});
test.after(() => at.world?.close());

const readMembers = () => world().app.services.database.kysely.selectFrom('member').selectAll().orderBy('member_id');

test('a batch hashes its passwords before its transaction; equal ones get hashes of their own', async () => {
  at.wasInside = [];
  const values = { member_password: 'the same for both' };
  const operations = [
    { action: 'create', values: { ...values, member_slug: 'a' } },
    { action: 'create', values: { ...values, member_slug: 'b' } },
  ];
  const made = await world().send('POST', '/rest/public/member/batch', { operations }, { 'idempotency-key': 'batch' });
  assert.is(made.status, 200, made.text);
  assert.equal(at.wasInside, [false, false]);
  const [a, b] = await readMembers().execute();
  assert.match(String(a?.member_password), /^\$scrypt\$/);
  assert.is.not(a?.member_password, b?.member_password);
});

test('so do a create with a key, and a change with a condition or of JSON that is merged', async () => {
  at.wasInside = [];
  const body = { member_password: 'another one', member_data: { a: 1 } };
  const made = await world().send('POST', '/rest/public/member/create', body, { 'idempotency-key': 'create' });
  assert.is(made.status, 201, made.text);
  const id = results(made).member_id;
  const path = `/rest/public/member/update/${id}`;
  const patch = { member_password: 'a third one', member_data: { b: 2 } };
  assert.is((await world().send('PATCH', path, patch)).status, 200);
  assert.is((await world().send('PATCH', path, { member_password: 'a fourth' }, { 'if-match': '*' })).status, 200);
  assert.equal(at.wasInside, [false, false, false]);
  const stale = await world().send('PATCH', path, { member_slug: 'x' }, { 'if-match': '"other"' });
  assert.is(stale.status, 412);
});

test('a batch of more passwords than there is time for is refused before the first of them', async () => {
  at.wasInside = [];
  const before = (await readMembers().execute()).length;
  const operations = Array.from({ length: 21 }, (_, index) => ({
    action: 'create',
    values: { member_password: `number ${index}` },
  }));
  for (const headers of [{}, { 'idempotency-key': 'many' }]) {
    const refused = await world().send('POST', '/rest/public/member/batch', { operations }, headers);
    assert.is(refused.status, 422);
    assert.match(refused.text, /at most 20 passwords/);
  }
  assert.equal(at.wasInside, []);
  assert.is((await readMembers().execute()).length, before);
});

test('an import by a call is held to as many passwords, which are hashed before its transaction', async () => {
  const toRows = (count: number) => Array.from({ length: count }, (_, index) => ({ password: `imported ${index}` }));
  for (const headers of [{}, { 'idempotency-key': 'import' }]) {
    at.wasInside = [];
    const refused = await world().send('POST', '/rest/public/member/import', { rows: toRows(21) }, headers);
    assert.is(refused.status, 422, refused.text);
    assert.match(refused.text, /at most 20 passwords/);
    assert.equal(at.wasInside, []);
  }
  const done = await world().send(
    'POST',
    '/rest/public/member/import',
    { rows: toRows(2) },
    { 'idempotency-key': 'few' },
  );
  assert.is(done.status, 200, done.text);
  assert.equal(at.wasInside, [false, false]);
  const rows = await readMembers().execute();
  assert.ok(rows.slice(-2).every(({ member_password: hash }) => String(hash).startsWith('$scrypt$')));
});

test('a sign-up by a call with a key hashes before its transaction', async () => {
  at.wasInside = [];
  const account = { auth_slug: 'new@example.org', auth_password: 'a long enough word', profile_name: 'New' };
  const made = await world().send('POST', '/rest/public/signup', account, { 'idempotency-key': 'sign-up' });
  assert.is(made.status, 200, made.text);
  assert.equal(at.wasInside, [false]);
});

const WAITING = CompiledQuery.raw(
  'select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
);

/** Waits until another connection waits for a lock of this transaction. */
async function waitForWaiter(): Promise<void> {
  const { database } = world().app.services;
  for (let round = 0; round < 200; round += 1) {
    if ((await database.run(WAITING)).length > 0) return;
    await sleep(10);
  }
}

onServer('a batch that the server undoes for a deadlock is done again, with a key and without', async () => {
  const { database } = world().app.services;
  const ids: number[] = [];
  for (const note_title of ['One', 'Two']) {
    const made = await world().send('POST', '/rest/public/note/create', { note_title, profile_id: 1 });
    ids.push(Number(results(made).note_id));
  }
  const [one = 0, two = 0] = ids;
  // The batch of one schema, and the one of the access.
  const toSchema = (text: string): [string, unknown] => [
    '/rest/public/note/batch',
    { operations: [one, two].map((id) => ({ action: 'update', id, values: { note_text: text } })) },
  ];
  const toAccess = (text: string): [string, unknown] => [
    '/rest/public/batch',
    [one, two].map((id) => ({ call: 'public-note-update', path: { note_id: id }, body: { note_text: text } })),
  ];
  const rounds = [toSchema, toAccess].flatMap((make) => [
    { make, headers: {} },
    { make, headers: { 'idempotency-key': `locked ${make.name}`.replace(' ', '-') } },
  ]);
  for (const [index, { make, headers }] of rounds.entries()) {
    const [path, body] = make(`round ${index}`);
    const touch = (id: number) =>
      database.kysely.updateTable('note').set({ note_code: null }).where('note_id', '=', id).execute();
    const answer = { promise: undefined as ReturnType<World['send']> | undefined };
    // On a busy machine the server may undo the other transaction, which has waited longer there: then once more.
    for (let tries = 0, isUndone = false; !isUndone && tries < 5; tries += 1) {
      isUndone = await database
        .transaction(async () => {
          await touch(two);
          answer.promise = world().send('POST', path, body, tries === 0 ? headers : {});
          await waitForWaiter();
          // The batch has waited longer, so the server rolls it back.
          await touch(one);
          return true;
        })
        .catch(() => false);
      if (!isUndone) await answer.promise;
    }
    const answered = await answer.promise;
    assert.is(answered?.status, 200, answered?.text);
    const detail = await world().ask(`/rest/public/note/detail/${one}`);
    assert.is(results(detail).note_text, `round ${index}`);
  }
});

test.run();
