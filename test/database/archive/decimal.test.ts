import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { moveRows } from '../../../src/database/archive/move.ts';
import { Archive } from '../../../src/database/archive/read-archive.ts';
import { restoreArchive } from '../../../src/database/archive/restore.ts';
import type { Database } from '../../../src/database/database.ts';
import { migrate, planMigration } from '../../../src/database/migration.ts';
import { fromStoredDecimal, toStoredDecimal } from '../../../src/database/stored-decimal.ts';
import type { Field } from '../../../src/model/shape.ts';
import { openPlaced } from '../_where.ts';
import { undoMigration } from '../migration/_undo.ts';
import { type SchemaSketch, tablesFor } from '../model.ts';
import { backUp, openFile, run, withFolder } from './_world.ts';

const test = suite('database/archive/decimal');

const VALUES: readonly (readonly [string | null, string | null, string | null])[] = [
  ['12.50', '7', '0.123456789012345'],
  ['-0.05', '-999999999999999', '-0.000000000000001'],
  ['9999999999999.99', '0', '0.000000000000000'],
  [null, null, null],
];
const SCALES = { note_money: 2, note_whole: 0, note_tiny: 15 } as const;
const field = (name: string, more: Partial<Field>): Field => ({ name, type: 'decimal', ...more });
const NOTE: SchemaSketch = {
  name: 'note',
  fields: [
    field('money', { default: '-1.5' }),
    field('whole', { scale: 0 }),
    field('tiny', { scale: 15, filterable: true }),
    { name: 'title', type: 'text' },
  ],
};
const tables = ({ dialect }: Pick<Database, 'dialect'>, note = NOTE) => tablesFor(dialect, note);

async function fill(database: Database): Promise<void> {
  await migrate(database, tables(database));
  const store = (value: string | null, scale: number): unknown =>
    value === null ? null : toStoredDecimal(value, scale, database.dialect);
  const rows = VALUES.map(([money, whole, tiny]) => ({
    ...{ note_money: store(money, 2), note_whole: store(whole, 0), note_tiny: store(tiny, 15), note_title: 'a' },
  }));
  await database.kysely.insertInto('note').values(rows).execute();
}

async function read({ kysely, dialect }: Database): Promise<unknown[]> {
  const rows = await kysely.selectFrom('note').selectAll().orderBy('note_id').execute();
  return rows.map((row) => Object.entries(SCALES).map(([name, scale]) => fromStoredDecimal(row[name], scale, dialect)));
}

/** The same values, in columns as a migration makes them, with their default. */
async function check(database: Database): Promise<void> {
  assert.equal(await read(database), VALUES);
  assert.equal((await planMigration(database, tables(database))).steps, []);
  await database.kysely.insertInto('note').values({ note_title: 'b' }).execute();
  assert.equal((await read(database)).at(-1), ['-1.50', null, null]);
  await database.kysely.deleteFrom('note').where('note_title', '=', 'b').execute();
}

async function withThree(fn: (from: Database, to: Database, back: Database, folder: string) => Promise<void>) {
  await withFolder(async (folder) => {
    const from = await openFile(folder, 'from.db');
    const to = await openPlaced({ file: 'to.db', root: folder });
    const back = await openFile(folder, 'back.db');
    try {
      await fn(from, to, back, folder);
    } finally {
      for (const database of [from, to, back]) await database.close();
    }
  });
}

const move = (from: Database, to: Database) =>
  moveRows({
    ...{ from, to, wanted: tables({ dialect: 'postgres' }), desired: tables(to) },
    ...{ allowLoss: false, allowChanges: false },
  });

test('a move between databases and back keeps every digit, the columns and their defaults', () =>
  withThree(async (from, to, back) => {
    await fill(from);
    await move(from, to);
    await check(to);
    await move(to, back);
    await check(back);
    assert.equal(await read(from), VALUES);
  }));

test('an archive keeps every digit, and says that it has decimals', () =>
  withThree(async (from, to, back, folder) => {
    await fill(to);
    const file = join(folder, 'a.treadle');
    const { header } = await backUp(to, file, { wanted: tables({ dialect: 'postgres' }) });
    assert.is(header.format, 2);
    const restore = async (database: Database): Promise<void> => {
      const archive = await Archive.open(file);
      const options = { allowLoss: true, uploads: undefined, desired: tables(database) };
      await restoreArchive({ archive, database, ...options });
      await check(database);
    };
    await restore(back);
    await restore(to);
    await run(from, 'create table plain (id integer primary key autoincrement, value integer)');
    const plain = await backUp(from, join(folder, 'b.treadle'));
    assert.is(plain.header.format, 1, 'an earlier version reads it');
  }));

test('the digits are those of the database, not of definitions that were not migrated yet', () =>
  withThree(async (from, to) => {
    await fill(from);
    const later: SchemaSketch = {
      ...NOTE,
      fields: [field('money', { scale: 3, default: '-1.5' }), ...NOTE.fields.slice(1)],
    };
    const wanted = tables({ dialect: 'postgres' }, later);
    await moveRows({ from, to, wanted, desired: undefined, allowLoss: false, allowChanges: false });
    assert.equal(await read(to), VALUES);
  }));

test('what no decimal is names its row on PostgreSQL, and an undo across databases is refused', () =>
  withThree(async (from, to) => {
    await fill(from);
    const fewer: SchemaSketch = { ...NOTE, fields: [{ name: 'money', type: 'text' }, ...NOTE.fields.slice(1)] };
    await migrate(from, tables(from, fewer));
    await moveRows({
      ...{ from, to, wanted: tables({ dialect: 'postgres' }, fewer), desired: tables(to, fewer) },
      ...{ allowLoss: false, allowChanges: false },
    });
    const undone = await undoMigration(to).then(
      () => 'undone',
      (error: { code: string }) => error.code,
    );
    assert.is(undone, to.dialect === 'sqlite' ? 'undone' : 'MIGRATION_UNDO_UNKNOWN');
    if (to.dialect === 'sqlite') assert.equal(await read(to), VALUES);
    await run(from, 'update note set note_whole = 0.5 where note_id = 2');
    const options = { wanted: tables({ dialect: 'postgres' }, fewer), desired: undefined };
    const error = await moveRows({ from, to, ...options, allowLoss: true, allowChanges: false }).then(
      () => undefined,
      String,
    );
    if (to.dialect === 'postgres')
      assert.match(error ?? '', /the row of note with note_id 2: note_whole is no decimal/);
    else assert.is(error, undefined);
  }));

test.run();
