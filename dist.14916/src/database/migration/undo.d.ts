import type { Database } from '../database.ts';
import type { MigrationPlan } from '../migration-step.ts';
import { type JournalEntry } from './journal.ts';
import { type PlanOptions } from './prepare.ts';
export interface UndoPlan {
    readonly plan: MigrationPlan;
    /** The migration to undo. */
    readonly entry: JournalEntry;
}
/**
 * Plans the undo of the last migration: restores names, dropped columns and tables from their copies, and
 * converted values that nobody changed since; drops what it created. Changes nothing.
 * @throws MIGRATION_UNDO_NONE if there is nothing to undo. @throws MIGRATION_UNDO_UNKNOWN
 */
export declare function planUndo(database: Database, options?: PlanOptions): Promise<UndoPlan>;
