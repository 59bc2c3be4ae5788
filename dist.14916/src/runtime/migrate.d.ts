import { type Problem } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Database } from '../database/database.ts';
import { type MigrationPlan } from '../database/migration-step.ts';
import type { CompiledPlan } from '../plan/compile.ts';
import type { Mode } from './exchange.ts';
export interface MigrateOptions {
    readonly database: Database;
    readonly plan: CompiledPlan;
    readonly mode: Mode;
    readonly log: Log;
    /** Project root, absolute. */
    readonly root: string;
    /** Awaited before a step that would break requests of the serving plan. */
    readonly beforeBreaking?: () => Promise<void>;
}
/** Advice on tables and columns that a person created, or that stay because removing them would lose data. */
export declare function adviseOn(plan: MigrationPlan): Problem[];
/**
 * Migrates the database to a plan: in production it only checks, otherwise it does every step that loses no data.
 * Steps that would lose data are returned as problems, with kept data as advice. If the plan cannot work without a
 * refused step, nothing is done.
 *
 * @throws DATABASE_BEHIND in production. @throws MIGRATION_STEP_FAILED
 */
export declare function migrateTo(options: MigrateOptions): Promise<Problem[]>;
