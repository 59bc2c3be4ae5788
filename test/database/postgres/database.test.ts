import { CompiledQuery, sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/core/clock.ts';
import type { TreadleError } from '../../../src/core/errors.ts';
import { silentLog } from '../../../src/core/log/log.ts';
import { advanceCounter } from '../../../src/database/counter.ts';
import type { Database } from '../../../src/database/database.ts';
import { migrate, planMigration } from '../../../src/database/migration.ts';
import { openDatabase } from '../../../src/database/open.ts';
import { readStructure } from '../../../src/database/read-structure.ts';
import { createTables } from '../../../src/database/table.ts';
import { only, openPlaced, placeUrl, removePlace } from '../_where.ts';
import { toModel } from '../model.ts';
import { codeOf, insertNote, readNotes, withDatabase } from '../temporary-database.ts';

const NAME = 'database/postgres/database';
const test = suite(NAME);
const postgres = only('postgres', NAME, test);
const server = only('server', NAME, test);
const open = (url: string, more: object = {}): Promise<Database> =>
  openDatabase({ url, root: '/', log: silentLog, clock: systemClock, ...more });
const faultOf = (promise: Promise<unknown>): Promise<TreadleError> =>
  promise.then(
    () => assert.unreachable(),
    (error) => error,
  );

postgres('values come back as they do from SQLite', () =>
  withDatabase(async ({ database }) => {
    const [row] = await database.run(
      CompiledQuery.raw(`select 7::bigint as a, 9007199254740993::bigint as b, 1.5::numeric as c, 2.5::float8 as d,
        true as e, false as f, '{"x": [1]}'::jsonb as g, date '2026-01-02' as h, timestamp '2026-01-02 03:04:05' as i,
        null as j, '\\x0102'::bytea as k, 3::int as l`),
    );
    assert.equal(
      { ...row, k: Array.from(row?.k as Buffer) },
      {
        a: 7,
        b: '9007199254740993',
        c: 1.5,
        d: 2.5,
        e: 1,
        f: 0,
        g: '{"x": [1]}',
        h: '2026-01-02',
        i: '2026-01-02 03:04:05',
        j: null,
        k: [1, 2],
        l: 3,
      },
    );
    const bound = CompiledQuery.raw('select cast($1 as text) as a, cast($2 as bigint) as b, cast($3 as bigint) as c');
    assert.equal(await database.run(bound, ['ü', true, 2 ** 40]), [{ a: 'ü', b: 1, c: 2 ** 40 }]);
    assert.is(await codeOf(database.run(bound, ['a\0b', 1, 1])), 'DATABASE_TEXT_INVALID');
    assert.is(await codeOf(database.run(bound, ['a', 'b', 1])), 'DATABASE_VALUE_INVALID');
  }),
);

postgres('a failure that is caught still undoes the unit, and is told by its first fault', () =>
  withDatabase(async ({ database }) => {
    await insertNote(database, 'taken');
    const unit = database.write(async () => {
      await insertNote(database, 'lost');
      await codeOf(insertNote(database, 'taken'));
      return 'done';
    });
    assert.is((await faultOf(unit)).code, 'DATABASE_CONSTRAINT');
    const later = database.write(async () => {
      await codeOf(insertNote(database, 'taken'));
      await readNotes(database);
    });
    assert.is((await faultOf(later)).code, 'DATABASE_CONSTRAINT', 'never that the transaction is aborted');
    const nested = database.write(async () => {
      await codeOf(database.write(() => insertNote(database, 'taken')));
      await insertNote(database, 'kept');
    });
    await nested;
    const refused = database.write(async () => {
      await codeOf(database.run(CompiledQuery.raw('select $1'), [undefined]));
      await insertNote(database, 'too');
    });
    await refused;
    assert.equal(await readNotes(database), ['taken', 'kept', 'too']);
  }),
);

postgres('nothing hides behind a semicolon', () =>
  withDatabase(async ({ database }) => {
    const both = sql.raw("select 1; insert into note (note_text) values ('x')").execute(database.kysely);
    assert.is(await codeOf(both), 'DATABASE_QUERY_FAILED');
    assert.equal(await readNotes(database), []);
  }),
);

server('prepared statements are kept, and at most so many', async () => {
  const url = new URL(placeUrl());
  url.searchParams.set('pool', '1');
  const database = await open(String(url), { statements: 3 });
  const count = async (): Promise<unknown> => {
    const text = "select count(*) as n from pg_prepared_statements where name like 'treadle%'";
    return (await database.run(CompiledQuery.raw(text)))[0]?.n;
  };
  for (let turn = 0; turn < 3; turn += 1) {
    for (const n of [1, 2, 3, 4, 5]) assert.equal(await database.run(CompiledQuery.raw(`select ${n} as n`)), [{ n }]);
  }
  assert.ok(Number(await count()) <= 3);
  await codeOf(database.run(CompiledQuery.raw('select nothing')));
  for (const n of [6, 7, 8, 9]) await database.run(CompiledQuery.raw(`select ${n} as n`));
  await database.close();
  url.searchParams.set('prepare', '0');
  const bare = await open(String(url));
  await bare.run(CompiledQuery.raw('select 1 as n'));
  const text = 'select count(*) as n from pg_prepared_statements';
  assert.ok(Number((await bare.run(CompiledQuery.raw(text)))[0]?.n) === 0);
  await bare.close();
  await removePlace(String(url));
});

postgres('a table that changes under a prepared statement', async () => {
  const url = placeUrl();
  const [one, other] = [await open(url), await open(url)];
  await sql`create table thing (thing_id bigint)`.execute(one.kysely);
  const all = one.kysely.selectFrom('thing').selectAll().compile();
  const read = () => one.run(all);
  await read();
  await other.restructure(async () => {
    await sql`alter table thing add column more text`.execute(other.kysely);
  });
  await sql`insert into thing (thing_id) values (1)`.execute(other.kysely);
  assert.equal(await read(), [{ thing_id: 1, more: null }], 'by itself');
  await one.write(() => read());
  await other.restructure(async () => {
    await sql`alter table thing add column again text`.execute(other.kysely);
  });
  assert.equal(await one.write(() => read()), [{ thing_id: 1, more: null, again: null }], 'the unit is run again');
  await Promise.all([one.close(), other.close()]);
  await removePlace(url);
});

postgres('the schema of the URL is made, and is all that is seen', async () => {
  const urls = [placeUrl(), placeUrl()];
  const [one, other] = await Promise.all(urls.map((url) => open(url)));
  assert.ok(one && other);
  await sql`create table thing (thing_id bigint generated by default as identity primary key)`.execute(one.kysely);
  assert.equal([...(await readStructure(one)).tables.keys()], ['thing']);
  assert.equal([...(await readStructure(other)).tables.keys()], []);
  assert.is(await codeOf(other.kysely.selectFrom('thing').selectAll().execute()), 'DATABASE_QUERY_FAILED');
  const read = async (name: string) =>
    Object.values((await sql.raw<Record<string, unknown>>(`show ${name}`).execute(one.kysely)).rows[0] ?? {})[0];
  assert.equal(
    [await read('statement_timeout'), await read('lock_timeout'), await read('idle_in_transaction_session_timeout')],
    ['25s', '5s', '15s'],
  );
  await Promise.all([one.close(), other.close()]);
  for (const url of urls) await removePlace(url);
});

postgres('the structure, read from the catalogue', async () => {
  const url = placeUrl();
  const database = await open(url);
  const run = (text: string) => sql.raw(text).execute(database.kysely);
  await run(`create table parent (parent_id bigint generated by default as identity primary key,
    parent_name text collate "C" not null default 'a''b', parent_rate double precision default 1.5,
    parent_count bigint default -1, parent_data jsonb, parent_plain text default '', parent_gone text)`);
  await run('alter table parent drop column parent_gone');
  await run(`create table child (left_id bigint not null, right_id bigint not null references parent (parent_id) on delete cascade,
    constraint child_key primary key (right_id, left_id), constraint child_left unique (left_id))`);
  await run('create unique index parent_name_unique on parent (parent_name, parent_count)');
  await run('create index parent_lower on parent (lower(parent_plain))');
  const { tables, checksum } = await readStructure(database);
  const parent = tables.get('parent');
  const told = [...(parent?.columns.values() ?? [])].map(({ name, type, isRequired, default: value }) => [
    name,
    type,
    isRequired,
    value,
  ]);
  assert.equal(told, [
    ['parent_id', 'bigint', true, undefined],
    ['parent_name', 'text collate "C"', true, "'a''b'"],
    ['parent_rate', 'double precision', false, '1.5'],
    ['parent_count', 'bigint', false, "'-1'"],
    ['parent_data', 'jsonb', false, undefined],
    ['parent_plain', 'text', false, "''"],
  ]);
  assert.equal([parent?.primaryKey, parent?.isCounting], [['parent_id'], true]);
  const child = tables.get('child');
  assert.equal([child?.primaryKey, child?.isCounting], [['right_id', 'left_id'], false]);
  assert.equal(child?.columns.get('right_id')?.references, {
    table: 'parent',
    column: 'parent_id',
    onDelete: 'cascade',
  });
  assert.is(child?.columns.get('right_id')?.key, 'child_right_id_fkey');
  const indexes = [...(parent?.indexes.values() ?? []), ...(child?.indexes.values() ?? [])];
  assert.equal(
    indexes.map(({ name, isUnique, columns, sql: text }) => [name, isUnique, columns, text !== undefined]),
    [
      ['parent_lower', false, [''], true],
      ['parent_name_unique', true, ['parent_name', 'parent_count'], true],
      ['child_left', true, ['left_id'], false],
    ],
  );
  assert.is((await readStructure(database)).checksum, checksum, 'the same for the same');
  await run('alter table parent alter column parent_plain drop default');
  assert.is.not((await readStructure(database)).checksum, checksum);
  await database.close();
  await removePlace(url);
});

postgres('all tables of a model, and then nothing to do, however long their names', async () => {
  const database = await openPlaced();
  const text = (name: string) => ({ name, type: 'text' as const, required: true, default: 'x' });
  const long = 'a_name_that_is_as_long_as_names_may_be';
  const fields = [
    { ...text(`unique_${long.slice(0, 16)}`), unique: true },
    { ...text(`sorted_${long.slice(0, 16)}`), sortable: true },
    { name: 'rate', type: 'float' as const, default: 1.5, filterable: true },
    { name: 'less', type: 'number' as const, default: -1 },
    { name: 'tags', type: 'tag' as const, filterable: true },
    { name: 'active', type: 'active' as const },
  ];
  const model = toModel(
    { name: long, fields, relations: [{ schema: 'other', kind: 'N:N', name: 'the_others_that_it_has' }] },
    { name: 'other', fields: [text('name')], relations: [{ schema: long, kind: '1:1' }] },
  );
  const tables = createTables(model, [], { dialect: 'postgres' });
  const names = tables.flatMap(({ indexes }) => indexes.map(({ name }) => name));
  assert.equal(
    names.filter((name) => name.length > 63 || !/_(index|unique)$/.test(name)),
    [],
  );
  assert.is(new Set(names).size, names.length);
  await migrate(database, tables);
  assert.equal((await planMigration(database, tables)).steps, []);
  await database.close();
});

test('rows with numbers of their own do not get in the way of the next', () =>
  withDatabase(async ({ database }) => {
    await database.kysely.insertInto('note').values({ note_id: 40, note_text: 'given' }).execute();
    await advanceCounter(database, 'note', 'note_id');
    assert.is(await insertNote(database, 'next'), 41);
    await advanceCounter(database, 'note', 'note_id');
    await database.kysely.deleteFrom('note').execute();
    await advanceCounter(database, 'note', 'note_id');
    assert.is(await insertNote(database, 'later'), 42, 'it never goes back');
  }));

test.run();
