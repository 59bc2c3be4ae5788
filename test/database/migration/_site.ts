import { sql } from 'kysely';
import type { Database } from '../../../src/database/database.ts';
import { migrate } from '../../../src/database/migration.ts';
import type { MigrationPlan } from '../../../src/database/migration-step.ts';
import { readStructure } from '../../../src/database/read-structure.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import type { Table } from '../../../src/database/table.ts';
import { openPlaced } from '../_where.ts';
import { type SchemaSketch, tablesFor } from '../model.ts';

export type Rows = Readonly<Record<string, readonly Row[]>>;

/** A new, empty database of the dialect of this run. */
export async function withEmpty(fn: (database: Database) => Promise<void>): Promise<void> {
  const database = await openPlaced();
  try {
    await fn(database);
  } finally {
    await database.close();
  }
}

export const wants = ({ dialect }: Database, ...sketches: readonly SchemaSketch[]): Table[] =>
  tablesFor(dialect, ...sketches);

/** A database migrated to these schemas and filled. */
export async function withSite(
  before: readonly SchemaSketch[],
  rows: Rows,
  fn: (database: Database) => Promise<void>,
): Promise<void> {
  await withEmpty(async (database) => {
    await migrate(database, wants(database, ...before));
    for (const [table, list] of Object.entries(rows))
      await database.kysely
        .insertInto(table)
        .values([...list])
        .execute();
    await fn(database);
  });
}

export async function readRows(database: Database, table: string): Promise<Row[]> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)} order by 1, 2`.execute(database.kysely);
  return rows.map((row) => ({ ...row }));
}

/** Tables of the model and of people, with their constraints and rows: they must be unchanged afterwards. */
export async function readSite(database: Database): Promise<Record<string, unknown>> {
  const { tables } = await readStructure(database);
  const found: Record<string, unknown> = {};
  for (const { name, columns, indexes, primaryKey } of tables.values()) {
    if (name.startsWith('treadle_')) continue;
    const sorted = [...columns.values()].map(({ key: _, ...column }) => column);
    found[name] = {
      columns: sorted.sort((a, b) => (a.name < b.name ? -1 : 1)),
      indexes: [...indexes.keys()].sort(),
      primaryKey,
      rows: await readRows(database, name),
    };
  }
  return found;
}

/** The plan in words, with SQLite's type names: the class of each step, or the reason of its refusal. */
export const wordsOf = ({ steps }: MigrationPlan): string[] =>
  steps
    .filter(({ kind }) => !HOW.has(kind))
    .map(({ class: rank, words, refusal }) =>
      refusal === undefined ? `${rank}: ${words}` : `${refusal.code}: ${words} ${refusal.message}`,
    )
    .map((text) =>
      text.replaceAll(' collate "C"', '').replaceAll('bigint', 'integer').replaceAll('double precision', 'real'),
    )
    // PostgreSQL's indexes end with the key, by which SQLite sorts anyway.
    .map((text) => text.replace(/(Create the index .*), \w+_id\)\.$/, '$1).'));

/** Steps that only one of the databases needs to do what another step describes. */
const HOW = new Set(['rebuild-table', 'add-key']);
