import { sql } from 'kysely';
import { type Clock, systemClock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import type { Database } from './database.ts';
import { buildPlan } from './migration/build.ts';
import { staleError } from './migration/convert-step.ts';
import { journalTable, memoryTable, type Remembered, readRemembered, writeRecord } from './migration/journal.ts';
import { type PlanOptions, prepareComparison } from './migration/prepare.ts';
import { isApplicable, isBlocked, type MigrationPlan, type MigrationStep } from './migration-step.ts';
import { readStructure } from './read-structure.ts';
import type { Structure } from './structure.ts';
import { type Table, toSystemTable } from './table.ts';

/** What a plan is for: on any other structure, or after any other migration, it is stale. */
export const toBase = (structure: Structure, { lastEntry }: Remembered): string => `${structure.checksum}:${lastEntry}`;

/**
 * Compares what is there with what is wanted, and tries every value that would change. Changes nothing.
 *
 * @throws MIGRATION_DEFAULT_INVALID where a default that was given is none for its field.
 */
export async function planMigration(
  database: Database,
  desired: readonly Table[],
  options: PlanOptions = {},
): Promise<MigrationPlan> {
  const { dialect } = database;
  const own = [journalTable, memoryTable].map((table) => toSystemTable(table, dialect));
  const others = desired.filter(({ name }) => !own.some((table) => table.name === name));
  const structure = await readStructure(database);
  const remembered = await readRemembered(database, structure);
  const wanted = [...own, ...others];
  const context = await prepareComparison({ database, structure, remembered, wanted, options });
  return buildPlan(context, toBase(structure, remembered));
}

export interface ApplyOptions extends PlanOptions {
  /** Default: the system's. */
  readonly clock?: Clock;
}

export interface MigrationResult {
  readonly applied: readonly MigrationStep[];
  readonly refused: readonly MigrationStep[];
}

/** Codes that say enough by themselves, or are the caller's to act on. */
const PASSED = /^(MIGRATION_|DATABASE_(BUSY|FAILED|FULL|CLOSED|UNWRITABLE))/;

function toStepError(error: unknown, words: string): unknown {
  if (!(error instanceof TreadleError) || PASSED.test(error.code)) return error;
  return new TreadleError(
    'MIGRATION_STEP_FAILED',
    `The migration failed, and nothing was changed. ${words} ${error.message}`,
    {
      status: 409,
      hint: 'Look at the rows that it names, or plan again: they may have changed meanwhile.',
      detail: error.detail,
      cause: error,
    },
  );
}

async function runStep(database: Database, step: MigrationStep): Promise<void> {
  const { sql: lines, perform, performAfter = lines.length, words } = step;
  try {
    for (const line of lines.slice(0, performAfter)) await sql.raw(line).execute(database.kysely);
    await perform?.(database);
    for (const line of lines.slice(performAfter)) await sql.raw(line).execute(database.kysely);
  } catch (error) {
    throw toStepError(error, words);
  }
}

/**
 * Does what is not refused, in one transaction with a row of the journal. Where something is refused that the model
 * cannot be served without, nothing is done, so that what serves now goes on.
 *
 * @throws MIGRATION_STALE where the structure changed since the plan was made: plan again.
 * @throws MIGRATION_STEP_FAILED (409) where a row stands in the way after all. Nothing was changed.
 */
export async function applyMigration(
  database: Database,
  plan: MigrationPlan,
  { clock = systemClock }: Pick<ApplyOptions, 'clock'> = {},
): Promise<MigrationResult> {
  const refused = plan.steps.filter((step) => !isApplicable(step));
  const applied = isBlocked(plan) ? [] : plan.steps.filter(isApplicable);
  const { memory, undoes } = plan.record;
  const isIdle = applied.length === 0 && memory.size === 0 && undoes === undefined;
  if (isBlocked(plan) || isIdle) return { applied, refused };
  const work = async (): Promise<void> => {
    const structure = await readStructure(database);
    if (toBase(structure, await readRemembered(database, structure)) !== plan.base) throw staleError();
    for (const step of applied) await runStep(database, step);
    await writeRecord(database, applied, plan.record, clock);
  };
  // A way back fills tables before those that they lead to are there.
  const isRebuilding =
    undoes !== undefined || applied.some(({ kind }) => kind === 'rebuild-table' || kind === 'drop-table');
  try {
    if (database.restructure === undefined) await database.transaction(work);
    else await database.restructure(work, isRebuilding, 'migration');
  } catch (error) {
    throw toStepError(error, 'At its end:');
  }
  return { applied, refused };
}

/** Times that a plan is made anew because another process was faster. */
const MAX_TRIES = 5;

/** Whether another process may have migrated while this one looked: a table that was just there is asked for in vain. */
function isOvertaken(error: unknown): boolean {
  return error instanceof TreadleError && /^(MIGRATION_STALE|DATABASE_QUERY_FAILED)$/.test(error.code);
}

/** Plans and applies; plans again where another process was faster. */
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
 * Plans and applies; plans again where another process was faster.
 *
 * @returns The plan that is left: what was refused, and what is only advice.
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
