import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isError, type Problem, TreadleError } from '../core/errors.ts';
import { packageVersion } from '../core/file/package-root.ts';
import type { Log } from '../core/log/log.ts';
import type { Database } from '../database/database.ts';
import { readSchemaText } from '../database/dialect-sql.ts';
import { applyMigration, planMigration, replan } from '../database/migration.ts';
import { type Drift, isApplicable, isBlocked, isServing, type MigrationPlan } from '../database/migration-step.ts';
import { refreshStatistics } from '../database/statistics/refresh.ts';
import { createTables, listCounted, type Table } from '../database/table.ts';
import type { Mode } from '../http/exchange.ts';
import type { CompiledPlan } from '../plan/compile.ts';
import type { ReloadMigration } from '../plan/reload-migration.ts';
import { adviseOnOwnSteps, checkOwnSteps, runOwnSteps } from './own-steps.ts';

/**
 * Remembers the structure that a start verified, so that the next start compares one text instead of reading every
 * table. The text is the database's whole schema, with the triggers that count writes, and the tables of the plan: any
 * difference causes a new check.
 */
interface VerifiedStructure {
  /** As `Database.structureVersion`, of the same moment. */
  readonly version: string;
  isKnown(): boolean;
  /** Remembers it, unless the schema is another one by now. */
  keep(): Promise<void>;
}

/**
 * Undefined for a database that cannot print its schema.
 *
 * @param tables The tables of the plan, as text.
 */
export async function readVerified(
  database: Database,
  tables: string,
  root: string,
): Promise<VerifiedStructure | undefined> {
  const schema = await readSchemaText(database);
  if (schema === undefined) return undefined;
  const { version, text } = schema;
  // A start that kept this had its writes counted.
  const given = JSON.stringify([packageVersion, 'counted', tables, text]);
  const digest = createHash('sha256').update(given).digest('hex');
  const file = join(root, 'var/cache/structure');
  return {
    version,
    isKnown() {
      try {
        return readFileSync(file, 'utf8') === digest;
      } catch {
        return false;
      }
    },
    async keep() {
      if ((await readSchemaText(database))?.text !== text) return;
      try {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, digest, { mode: 0o600 });
      } catch {
        // A project on a read-only disk still starts.
      }
    },
  };
}

/** Number of missing parts that a refusal names; the rest is counted. */
const TOLD_MISSING = 3;
/** Maximum number of steps that are listed one by one; a new database has more. */
const TOLD_STEPS = 30;

export interface MigrateOptions {
  readonly database: Database;
  readonly plan: CompiledPlan;
  readonly mode: Mode;
  readonly log: Log;
  /** Project root, absolute. */
  readonly root: string;
  /** What an earlier comparison found; updated. Without it, every call compares. */
  readonly fitting?: FittingTables;
  /** Permissions of whoever asked for the reload: production migrates only with them. */
  readonly migration?: ReloadMigration | undefined;
  /** Awaited before a step that would break requests of the serving plan. */
  readonly beforeBreaking?: () => Promise<void>;
}

/** Tables that fitted the database, and the structure that it had: a reload that changes neither compares nothing. */
export interface FittingTables {
  text: string;
  structure: string;
}

function toDriftAdvice(drift: Drift): Problem {
  return {
    code: 'DATABASE_DRIFT',
    file: 'database',
    path: drift.kind === 'table' ? drift.table : `${drift.table}.${drift.name}`,
    message: `${drift.words.replace(/\.$/, '')}, stays with its data.`,
    hint: 'Nothing is lost. See it with: treadle migrate --dry-run.',
    severity: 'advice',
  };
}

/** A refused step is an error only if the plan cannot work without it. */
function toProblems({ steps, drift }: MigrationPlan): Problem[] {
  const refused = steps.flatMap((step): Problem[] => {
    if (step.refusal === undefined) return [];
    return [{ ...step.refusal, ...(step.isNeeded ? {} : { severity: 'advice' as const }) }];
  });
  return [...refused, ...listDrift(drift)];
}

/** Advice on tables and columns that a person created, or that stay because removing them would lose data. */
export function adviseOn(plan: MigrationPlan): Problem[] {
  return toProblems(plan).filter(({ severity }) => severity === 'advice');
}

/** An index of other fields, or without the words of all rows: its searches read the rows themselves. */
const adviseOnWords = ({ steps }: MigrationPlan): Problem[] =>
  steps
    .filter(({ kind, isNeeded, class: rank }) => kind === 'build-words' && rank === 'add' && !isNeeded)
    .map(({ table, words }) => ({
      code: 'SEARCH_INDEX_BEHIND',
      file: 'database',
      path: table,
      message: `Searches of ${table} for words read its rows, which takes longer: the index does not fit the fields yet.`,
      hint: `${words} Do it with treadle migrate, unless this version is to be replaced.`,
      severity: 'advice',
    }));

const listDrift = (drift: readonly Drift[]): Problem[] =>
  drift.filter(({ kind }) => kind !== 'index').map(toDriftAdvice);

const isBreaking = (plan: MigrationPlan): boolean =>
  !isBlocked(plan) && plan.steps.some((step) => isApplicable(step) && step.isBreaking === true);

function checkServing(plan: MigrationPlan): void {
  if (isServing(plan)) return;
  const missing = plan.steps.filter(({ isNeeded }) => isNeeded).map(({ words }) => words);
  const more = missing.length > TOLD_MISSING ? ` And ${missing.length - TOLD_MISSING} more.` : '';
  const told = missing.slice(0, TOLD_MISSING).join(' ');
  throw new TreadleError('DATABASE_BEHIND', `The database lacks something: ${told}${more}`, {
    hint: 'Review it with treadle migrate --dry-run, then run treadle migrate.',
  });
}

/**
 * Migrates the database to a plan: in production without permissions it only checks, otherwise it does every step that loses no data.
 * Steps that would lose data are returned as problems, with kept data as advice. If the plan cannot work without a
 * refused step, nothing is done.
 *
 * @throws DATABASE_BEHIND in production. @throws MIGRATION_STEP_FAILED
 */
export async function migrateTo(options: MigrateOptions): Promise<Problem[]> {
  const { database, plan, fitting, mode } = options;
  const isReload = mode === 'development' && fitting !== undefined && fitting.text !== '';
  const problems = await fit(options, isReload);
  if (!isReload || problems.some(isError)) return problems;
  return [...problems, ...(await adviseOnOwnSteps(database, plan.steps))];
}

/** @param isReload The project is being edited: its own steps wait. */
async function fit(options: MigrateOptions, isReload: boolean): Promise<Problem[]> {
  const { database, plan, log, fitting, mode, root, migration } = options;
  const tables = createTables(plan.model, plan.tables, { dialect: database.dialect });
  const text = JSON.stringify(tables);
  const isOther = fitting?.text !== text;
  const verified =
    mode === 'production' && migration === undefined && isOther ? await readVerified(database, text, root) : undefined;
  // Read before the comparison: what another process changes meanwhile is compared the next time.
  const structure = fitting === undefined ? '' : (verified?.version ?? (await database.structureVersion()));
  if (!isOther && fitting.structure === structure) return [];
  const isKnown = verified?.isKnown() === true;
  const problems = isKnown ? [] : await bringTo(tables, options);
  if (problems.some(isError)) return problems;
  if (mode === 'production') await checkOwnSteps(database, plan.steps);
  else if (!isReload) await runOwnSteps({ database, steps: plan.steps, log });
  if (!isKnown) {
    try {
      await database.trackTables(listCounted(tables));
    } catch (error) {
      log.warn('writes are not counted per table: each write invalidates every remembered total', { error });
      return problems;
    }
    // A start in production waits for nothing that its upkeep can do.
    if (mode !== 'production' || migration !== undefined) await refreshStatistics(database, { log });
    await verified?.keep();
  }
  const isSame = isKnown || (fitting !== undefined && structure === (await database.structureVersion()));
  if (fitting !== undefined && problems.length === 0 && isSame) {
    fitting.text = text;
    fitting.structure = structure;
  }
  return problems;
}

async function bringTo(
  tables: readonly Table[],
  { database, mode, log, migration, beforeBreaking }: MigrateOptions,
): Promise<Problem[]> {
  if (mode === 'production' && migration === undefined) {
    const planned = await planMigration(database, tables);
    checkServing(planned);
    return [...adviseOn(planned), ...adviseOnWords(planned)];
  }
  const { applied, plan: planned } = await replan(
    async () => ({ plan: await planMigration(database, tables, migration) }),
    async ({ plan: made }) => {
      if (isBreaking(made)) await beforeBreaking?.();
      return applyMigration(database, made);
    },
  );
  if (applied.length > TOLD_STEPS) log.info(`The database was created in ${applied.length} steps.`);
  else for (const { words } of applied) log.info(`Database: ${words}`);
  return toProblems(planned);
}
