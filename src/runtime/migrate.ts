import { type Problem, TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Database } from '../database/database.ts';
import { migrate, planMigration } from '../database/migration.ts';
import { type Drift, isServing, type MigrationPlan } from '../database/migration-step.ts';
import { toTables } from '../database/table.ts';
import type { CompiledPlan } from '../plan/compile.ts';
import type { Mode } from './exchange.ts';
import { readVerified } from './verified-structure.ts';

/** Steps that a refusal names; the rest is counted. */
const TOLD_MISSING = 3;
/** Steps that are told one by one: a new database has more. */
const TOLD_STEPS = 30;

export interface MigrateOptions {
  readonly database: Database;
  readonly plan: CompiledPlan;
  readonly mode: Mode;
  readonly log: Log;
  /** Project root, absolute. */
  readonly root: string;
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

/** A refused step keeps the new plan from serving only where the plan cannot live without it. */
function toProblems(plan: MigrationPlan): Problem[] {
  return plan.steps.flatMap((step): Problem[] => {
    if (step.refusal === undefined) return [];
    return [{ ...step.refusal, ...(step.isNeeded ? {} : { severity: 'advice' as const }) }];
  });
}

function checkServing(plan: MigrationPlan): void {
  if (isServing(plan)) return;
  const missing = plan.steps.filter(({ isNeeded }) => isNeeded).map(({ words }) => words);
  const more = missing.length > TOLD_MISSING ? ` And ${missing.length - TOLD_MISSING} more.` : '';
  const told = missing.slice(0, TOLD_MISSING).join(' ');
  throw new TreadleError('DATABASE_BEHIND', `The database lacks something: ${told}${more}`, {
    hint: 'Look at it with: treadle migrate --dry-run. Then: treadle migrate.',
  });
}

/**
 * Brings the database to what a plan needs: in production it only checks, else it adds what is missing. What would lose data is never done;
 * it comes back as problems, with what stays as advice.
 *
 * @throws DATABASE_BEHIND in production.
 */
export async function migrateTo({ database, plan, mode, log, root }: MigrateOptions): Promise<Problem[]> {
  const tables = toTables(plan.model, plan.tables, { dialect: database.dialect });
  if (mode === 'production') {
    const verified = await readVerified(database, tables, root);
    if (verified?.isKnown()) return [];
    checkServing(await planMigration(database, tables));
    verified?.keep();
    return [];
  }
  const { applied, plan: planned } = await migrate(database, tables);
  if (applied.length > TOLD_STEPS) log.info(`The database was made, in ${applied.length} steps.`);
  else for (const { words } of applied) log.info(`Database: ${words}`);
  return [...toProblems(planned), ...planned.drift.filter(({ kind }) => kind !== 'index').map(toDriftAdvice)];
}
