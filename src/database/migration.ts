import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Clock, systemClock, toSeconds } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import type { Database, SystemTable } from './database.ts';
import { RowCounter } from './migration-count.ts';
import { isOwnIndex } from './migration-index.ts';
import { type Drift, isApplicable, type MigrationPlan, type MigrationStep } from './migration-step.ts';
import { compareTable } from './migration-table.ts';
import { readStructure } from './read-structure.ts';
import type { Structure } from './structure.ts';
import { type Table, toSystemTable } from './table.ts';

/** What was done to the structure, and when. */
export const journalTable: SystemTable = {
  name: 'treadle_journal',
  columns: [
    { name: 'id', type: 'id' },
    { name: 'at', type: 'integer', isRequired: true },
    { name: 'words', type: 'text', isRequired: true },
    { name: 'sql', type: 'text', isRequired: true },
    { name: 'checksum', type: 'text', isRequired: true },
  ],
};

/** Compares what is there with what is wanted. Changes nothing. */
export async function planMigration(database: Database, desired: readonly Table[]): Promise<MigrationPlan> {
  const others = desired.filter(({ name }) => name !== journalTable.name);
  const wanted = [...others, toSystemTable(journalTable, database.dialect)];
  const structure = await readStructure(database);
  const tools = { structure, counter: new RowCounter(database), kysely: database.kysely, wanted };
  const steps: MigrationStep[] = [];
  for (const table of wanted) steps.push(...(await compareTable(table, tools)));
  const problems = steps.flatMap(({ refusal }) => (refusal === undefined ? [] : [refusal]));
  return { steps, problems, drift: findDrift(wanted, structure), base: structure.checksum };
}

/** What stays although nothing names it. Treadle's own tables of features that are off are not mentioned. */
function findDrift(wanted: readonly Table[], structure: Structure): Drift[] {
  const drift: Drift[] = [];
  const former = new Set(wanted.flatMap(({ was }) => (was === undefined ? [] : [was])));
  for (const actual of structure.tables.values()) {
    const table = wanted.find(({ name }) => name === actual.name);
    if (table === undefined) {
      if (actual.name.startsWith('treadle_') || former.has(actual.name)) continue;
      const words = `The table ${actual.name}, which no schema has.`;
      drift.push({ kind: 'table', table: actual.name, name: actual.name, words });
      continue;
    }
    const names = new Set(table.columns.flatMap(({ name, was }) => (was === undefined ? [name] : [name, was])));
    for (const name of actual.columns.keys()) {
      if (names.has(name)) continue;
      drift.push({
        kind: 'column',
        table: table.name,
        name,
        words: `The column ${table.name}.${name}, which no field has.`,
      });
    }
    for (const index of actual.indexes.values()) {
      const isNamed = table.indexes.some(({ name }) => name === index.name);
      if (isNamed || index.sql === undefined || isOwnIndex(table, index)) continue;
      drift.push({
        kind: 'index',
        table: table.name,
        name: index.name,
        words: `The index ${index.name} of ${table.name}.`,
      });
    }
  }
  return drift;
}

export interface ApplyOptions {
  /** What would lose data is never done here, whatever this says; the full engine will. */
  readonly allowLoss?: boolean;
  /** Default: the system's. */
  readonly clock?: Clock;
}

export interface MigrationResult {
  readonly applied: readonly MigrationStep[];
  readonly refused: readonly MigrationStep[];
}

/**
 * Does the steps that lose nothing, in one transaction with a row of the journal.
 *
 * @throws MIGRATION_STALE where the structure changed since the plan was made: plan again.
 */
export async function applyMigration(
  database: Database,
  plan: MigrationPlan,
  options: ApplyOptions = {},
): Promise<MigrationResult> {
  const applied = plan.steps.filter(isApplicable);
  const refused = plan.steps.filter((step) => !isApplicable(step));
  if (applied.length === 0) return { applied, refused };
  const work = async (): Promise<void> => {
    if ((await readStructure(database)).checksum !== plan.base) {
      throw new TreadleError(
        'MIGRATION_STALE',
        'The structure of the database changed since the migration was planned.',
        {
          hint: 'Plan it again: another process may have migrated meanwhile.',
        },
      );
    }
    for (const text of applied.flatMap((step) => step.sql)) await sql.raw(text).execute(database.kysely);
    await writeJournal(database, applied, options.clock ?? systemClock);
  };
  const isRebuilding = applied.some(({ kind }) => kind === 'rebuild-table');
  if (database.restructure === undefined) await database.transaction(work);
  else await database.restructure(work, isRebuilding);
  return { applied, refused };
}

async function writeJournal(database: Database, steps: readonly MigrationStep[], clock: Clock): Promise<void> {
  const text = steps.flatMap((step) => step.sql.map((line) => `${line};`)).join('\n');
  await database.kysely
    .insertInto('treadle_journal')
    .values({
      at: toSeconds(clock.now()),
      words: steps.map(({ words }) => words).join('\n'),
      sql: text,
      checksum: createHash('sha256').update(text).digest('hex'),
    })
    .execute();
}

/**
 * Plans and applies; plans again where another process was faster.
 *
 * @returns The plan that is left: what was refused, and what is only advice.
 */
export async function migrate(
  database: Database,
  desired: readonly Table[],
  options: ApplyOptions = {},
): Promise<MigrationResult & { readonly plan: MigrationPlan }> {
  for (let tries = 1; ; tries += 1) {
    const plan = await planMigration(database, desired);
    try {
      return { plan, ...(await applyMigration(database, plan, options)) };
    } catch (error) {
      const isStale = error instanceof TreadleError && error.code === 'MIGRATION_STALE';
      if (!isStale || tries >= 3) throw error;
    }
  }
}
