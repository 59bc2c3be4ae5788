import { sql } from 'kysely';
import { type Clock, systemClock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import type { Database } from './database.ts';
import { buildPlan } from './migration/build.ts';
import { hideAllComputed } from './migration/computed-steps.ts';
import { staleError } from './migration/convert-step.ts';
import { type JournalContents, journalTable, memoryTable, readRemembered, writeRecord } from './migration/journal.ts';
import { type PlanOptions, prepareComparison } from './migration/prepare.ts';
import { isApplicable, isBlocked, type MigrationPlan, type MigrationStep } from './migration-step.ts';
import { readStructure } from './read-structure.ts';
import { groupBatches, isBatchable, runBatch } from './schema-batch.ts';
import { restructureMany, type SchemaShelf } from './sqlite/schema-shelf.ts';
import type { Structure } from './structure.ts';
import { createSystemTable, type Table } from './table.ts';

/** Base of a plan: with another structure, or after another migration, it is stale. */
export const toBase = (structure: Structure, { lastEntry }: JournalContents): string =>
  `${structure.checksum}:${lastEntry}`;

/**
 * Compares the database with the model and tests every value that would change. Changes nothing.
 * @throws MIGRATION_DEFAULT_INVALID if the field does not accept a given default.
 */
export async function planMigration(
  database: Database,
  desired: readonly Table[],
  options: PlanOptions = {},
): Promise<MigrationPlan> {
  const { dialect } = database;
  const own = [journalTable, memoryTable].map((table) => createSystemTable(table, dialect));
  const others = desired.filter(({ name }) => !own.some((table) => table.name === name));
  const found = await readStructure(database);
  const remembered = await readRemembered(database, found);
  const wanted = [...own, ...others];
  const structure = hideAllComputed(found, remembered.memory, wanted);
  const context = await prepareComparison({ database, structure, remembered, wanted, options });
  return buildPlan(context, toBase(structure, remembered));
}

export interface ApplyOptions extends PlanOptions {
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** True after the rows of another database were loaded: to create its indexes again is no change that an undo takes back. */
  readonly isCarried?: boolean;
}

export interface MigrationResult {
  readonly applied: readonly MigrationStep[];
  readonly refused: readonly MigrationStep[];
}

/** Errors that are clear by themselves, or that the caller handles. */
const PASSED = /^(MIGRATION_|DATABASE_(BUSY|FAILED|DAMAGED|REPLACED|FULL|CLOSED|UNWRITABLE))/;

function createStepError(error: unknown, words: string): unknown {
  if (!(error instanceof TreadleError) || PASSED.test(error.code)) return error;
  return new TreadleError(
    'MIGRATION_STEP_FAILED',
    `The migration failed, and nothing was changed. ${words} ${error.message}`,
    {
      status: 409,
      hint: 'Check the rows that it names, or plan again: they may have changed in the meantime.',
      detail: error.detail,
      cause: error,
    },
  );
}

const CREATING: ReadonlySet<MigrationStep['kind']> = new Set(['create-table', 'create-index', 'add-key']);

async function runStep(database: Database, step: MigrationStep, shelf: SchemaShelf | undefined): Promise<void> {
  const { sql: lines, perform, performAfter = lines.length, words } = step;
  try {
    await shelf?.before(lines);
    for (const line of lines.slice(0, performAfter)) await sql.raw(line).execute(database.kysely);
    await perform?.(database);
    for (const line of lines.slice(performAfter)) await sql.raw(line).execute(database.kysely);
    await shelf?.after();
  } catch (error) {
    throw createStepError(error, words);
  }
}

/** Steps that run together: creating tables, and the indexes and keys of tables that have no rows yet. */
function groupSteps(steps: readonly MigrationStep[]): (readonly MigrationStep[])[] {
  const created = new Set<string>();
  return groupBatches(steps, ({ kind, table, sql: lines, perform }) => {
    if (perform !== undefined || lines.length !== 1 || !lines.every(isBatchable)) return false;
    if (kind === 'create-table') created.add(table);
    return CREATING.has(kind) && created.has(table);
  });
}

async function runGroup(database: Database, group: readonly MigrationStep[], shelf?: SchemaShelf): Promise<void> {
  if (group.length > 1) {
    const lines = group.flatMap((step) => step.sql);
    try {
      await shelf?.before(lines);
      await database.write(() => runBatch(database, lines));
      await shelf?.after();
      return;
    } catch {
      // Its savepoint took everything back. One by one, the step that fails names itself.
    }
  }
  for (const step of group) await runStep(database, step, shelf);
}

/**
 * Applies all steps that are not refused, in one transaction with the journal entry. If a required step is
 * refused, applies nothing, so that the running plan keeps working.
 * @throws MIGRATION_STALE if the structure changed since the plan was made: plan again.
 * @throws MIGRATION_STEP_FAILED (409) if a row blocks the step after all. Nothing was changed.
 */
export async function applyMigration(
  database: Database,
  plan: MigrationPlan,
  { clock = systemClock, isCarried = false }: Pick<ApplyOptions, 'clock' | 'isCarried'> = {},
): Promise<MigrationResult> {
  const refused = plan.steps.filter((step) => !isApplicable(step));
  const applied = isBlocked(plan) ? [] : plan.steps.filter(isApplicable);
  const { memory, undoes } = plan.record;
  const record = isCarried && applied.every(isOfIndexes) ? { ...plan.record, changes: [] } : plan.record;
  const isIdle = applied.length === 0 && memory.size === 0 && undoes === undefined;
  if (isBlocked(plan) || isIdle) return { applied, refused };
  const check = async (): Promise<void> => {
    const structure = await readStructure(database);
    if (toBase(structure, await readRemembered(database, structure)) !== plan.base) throw staleError();
  };
  const work = async (shelf?: SchemaShelf): Promise<void> => {
    for (const group of groupSteps(applied)) await runGroup(database, group, shelf);
    await writeRecord(database, applied, record, clock);
    await shelf?.close();
    await database.touchTables();
  };
  // An undo fills tables before their foreign key targets exist.
  const isRebuilding =
    undoes !== undefined || applied.some(({ kind }) => kind === 'rebuild-table' || kind === 'drop-table');
  try {
    const objects = applied.reduce((sum, step) => sum + step.sql.length, 0);
    await restructureMany(database, { objects, isRebuilding, lock: 'migration', check }, work);
  } catch (error) {
    throw createStepError(error, 'At the commit:');
  }
  for (const step of applied) await step.finish?.(database);
  return { applied, refused };
}

/** Whether a step makes an index, or a table of Treadle's own, such as that of the search indexes. */
const isOfIndexes = ({ kind, table }: MigrationStep): boolean =>
  kind === 'create-index' ||
  kind === 'drop-index' ||
  kind === 'build-words' ||
  kind === 'create-tree' ||
  table.startsWith('treadle_');

/** Maximum plans when other processes keep migrating first. */
const MAX_TRIES = 5;

/** Whether another process may have migrated in between: a table that just existed is missing. */
function isOvertaken(error: unknown): boolean {
  return error instanceof TreadleError && /^(MIGRATION_STALE|DATABASE_QUERY_FAILED)$/.test(error.code);
}

/** Plans and applies; plans again if another process migrated first. */
export async function replan<T extends { readonly plan: MigrationPlan }>(
  make: () => Promise<T>,
  apply: (made: T) => Promise<MigrationResult>,
): Promise<T & MigrationResult> {
  for (let tries = 1; ; tries += 1) {
    try {
      const made = await make();
      return { ...made, ...(await apply(made)) };
    } catch (error) {
      if (!isOvertaken(error) || tries >= MAX_TRIES) throw error;
    }
  }
}

/**
 * Plans and applies; plans again if another process migrated first.
 * @returns The remaining plan: refused steps and advice.
 */
export function migrate(
  database: Database,
  desired: readonly Table[],
  options: ApplyOptions = {},
): Promise<MigrationResult & { readonly plan: MigrationPlan }> {
  return replan(
    async () => ({ plan: await planMigration(database, desired, options) }),
    ({ plan }) => applyMigration(database, plan, options),
  );
}
