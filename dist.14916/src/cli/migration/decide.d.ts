import type { Database } from '../../database/database.ts';
import type { PlanOptions } from '../../database/migration/prepare.ts';
import type { MigrationResult } from '../../database/migration.ts';
import { type MigrationPlan } from '../../database/migration-step.ts';
import type { Invocation } from '../spec.ts';
/** Permission to lose data, and values for empty fields, from flags and answers. */
export interface Leave {
    allowLoss: boolean;
    readonly defaults: Map<string, string>;
}
/** Makes a plan with the given permissions. @throws MIGRATION_DEFAULT_INVALID */
type MakePlan<T> = (options: PlanOptions) => Promise<T>;
interface Planned {
    readonly plan: MigrationPlan;
}
/** Plans with the given permissions and applies the plan; a dry run only plans. @throws CLI_INTERRUPTED as {@link decide}. */
export declare function planAndApply<T extends Planned>(invocation: Invocation, database: Database, leave: Leave, make: MakePlan<T>): Promise<T & MigrationResult>;
export {};
