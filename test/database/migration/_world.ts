import * as assert from 'uvu/assert';
import type { Database } from '../../../src/database/database.ts';
import { type ApplyOptions, type MigrationResult, migrate, planMigration } from '../../../src/database/migration.ts';
import type { MigrationPlan, MigrationStep } from '../../../src/database/migration-step.ts';
import { readStructure } from '../../../src/database/read-structure.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import type { Table } from '../../../src/database/table.ts';
import { openPlaced } from '../_where.ts';
import { type SchemaSketch, tablesFor } from '../model.ts';
import { undoMigration } from './_undo.ts';

export type Rows = Readonly<Record<string, readonly Row[]>>;
type Migrated = MigrationResult & { readonly plan: MigrationPlan };

/** An empty database, in the dialect of this run. */
export interface Site {
  readonly database: Database;
  tables(...sketches: readonly SchemaSketch[]): Table[];
  plan(sketches: readonly SchemaSketch[], options?: ApplyOptions): Promise<MigrationPlan>;
  migrate(sketches: readonly SchemaSketch[], options?: ApplyOptions): Promise<Migrated>;
  undo(options?: ApplyOptions): Promise<MigrationResult>;
  insert(rows: Rows): Promise<void>;
  /** All rows of a table by its primary key, with the columns in order of their names. */
  read(table: string): Promise<Row[]>;
  /** Existing tables of the model, each with its columns. */
  describe(): Promise<Record<string, string[]>>;
}

export async function onSite(fn: (site: Site) => Promise<void>): Promise<void> {
  const database = await openPlaced();
  const { dialect, kysely } = database;
  const tables = (...sketches: readonly SchemaSketch[]): Table[] => tablesFor(dialect, ...sketches);
  try {
    await fn({
      database,
      tables,
      plan: (sketches, options) => planMigration(database, tables(...sketches), options),
      migrate: (sketches, options) => migrate(database, tables(...sketches), options),
      undo: (options) => undoMigration(database, options),
      async insert(rows) {
        for (const [table, list] of Object.entries(rows))
          await kysely
            .insertInto(table)
            .values([...list])
            .execute();
      },
      async read(table) {
        const found = (await readStructure(database)).tables.get(table);
        let query = kysely.selectFrom(table).selectAll();
        for (const key of found?.primaryKey ?? []) query = query.orderBy(key);
        return (await query.execute()).map(sortKeys);
      },
      async describe() {
        const found = [...(await readStructure(database)).tables.values()].filter(
          ({ name }) => !name.startsWith('treadle_'),
        );
        return Object.fromEntries(found.map(({ name, columns }) => [name, [...columns.keys()].sort()]));
      },
    });
  } finally {
    await database.close();
  }
}

const sortKeys = (row: Row): Row => Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
export const sorted = (rows: readonly Row[] = []): Row[] => rows.map(sortKeys);

/** `kind class` of each step, without steps for indexes and Treadle's own tables, which have other tests. */
export const kinds = (steps: readonly MigrationStep[]): string[] =>
  steps
    .filter(({ kind, table }) => !/index|words|rebuild|add-key/.test(kind) && !/^treadle_(?!move)/.test(table))
    .map(({ kind, class: rank }) => `${kind} ${rank}`);

export const codes = ({ problems }: MigrationPlan): string[] => problems.map(({ code }) => code);

export function find(plan: MigrationPlan, code: string): MigrationStep {
  const step = plan.steps.find(({ refusal }) => refusal?.code === code);
  assert.ok(step, `${code} among ${JSON.stringify(codes(plan))}`);
  return step;
}
