import { type Clock } from '../core/clock.ts';
import type { Database } from './database.ts';
import { type Remembered } from './migration/journal.ts';
import { type PlanOptions } from './migration/prepare.ts';
import { type MigrationPlan, type MigrationStep } from './migration-step.ts';
import type { Structure } from './structure.ts';
import { type Table } from './table.ts';
/** Base of a plan: with another structure, or after another migration, it is stale. */
export declare const toBase: (structure: Structure, { lastEntry }: Remembered) => string;
/**
 * Compares the database with the model and tests every value that would change. Changes nothing.
 * @throws MIGRATION_DEFAULT_INVALID if the field does not accept a given default.
 */
export declare function planMigration(database: Database, desired: readonly Table[], options?: PlanOptions): Promise<MigrationPlan>;
export interface ApplyOptions extends PlanOptions {
    /** Default: the system clock. */
    readonly clock?: Clock;
}
export interface MigrationResult {
    readonly applied: readonly MigrationStep[];
    readonly refused: readonly MigrationStep[];
}
/**
 * Applies all steps that are not refused, in one transaction with the journal entry. If a required step is
 * refused, applies nothing, so that the running plan keeps working.
 * @throws MIGRATION_STALE if the structure changed since the plan was made: plan again.
 * @throws MIGRATION_STEP_FAILED (409) if a row blocks the step after all. Nothing was changed.
 */
export declare function applyMigration(database: Database, plan: MigrationPlan, { clock }?: Pick<ApplyOptions, 'clock'>): Promise<MigrationResult>;
/** Plans and applies; plans again if another process migrated first. */
export declare function replan<T extends {
    readonly plan: MigrationPlan;
}>(make: () => Promise<T>, apply: (made: T) => Promise<MigrationResult>): Promise<T & MigrationResult>;
/**
 * Plans and applies; plans again if another process migrated first.
 * @returns The remaining plan: refused steps and advice.
 */
export declare function migrate(database: Database, desired: readonly Table[], options?: ApplyOptions): Promise<MigrationResult & {
    readonly plan: MigrationPlan;
}>;
