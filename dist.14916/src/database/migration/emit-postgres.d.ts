import type { MigrationStep } from '../migration-step.ts';
import type { ActualTable } from '../structure.ts';
import type { ColumnChange } from './compare-column.ts';
export interface PostgresSteps {
    readonly alter: readonly MigrationStep[];
    /** Foreign keys, added once every table has its future name. */
    readonly keys: readonly MigrationStep[];
}
/** The steps of one column: first drop what is in the way, then convert values, then add constraints. */
export declare function toPostgresSteps(change: ColumnChange, actual: ActualTable, keySql: string): PostgresSteps;
