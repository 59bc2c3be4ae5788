import { type MigrationStep } from '../migration-step.ts';
import type { ActualIndex, ActualTable } from '../structure.ts';
import type { Table, TableColumn, TableIndex } from '../table.ts';
import type { Addition } from './add-column.ts';
import { type PlanContext } from './context.ts';
export interface IndexPair {
    readonly table: Table;
    readonly actual: ActualTable;
    /** Columns after the other steps, by future names. */
    readonly columns: readonly TableColumn[];
    readonly additions: readonly Addition[];
    /** Values for rows that have none yet, by future name. */
    readonly fills: ReadonlyMap<string, string | number>;
    /** Columns with converted values, by future name. */
    readonly converted: ReadonlySet<string>;
    /** Future name of a present column; undefined if it is dropped. */
    toFuture(present: string): string | undefined;
}
export interface IndexPlan {
    readonly gone: readonly MigrationStep[];
    readonly made: readonly MigrationStep[];
    readonly refused: readonly MigrationStep[];
    /** Indexes that stay, including those of users. */
    readonly kept: readonly ActualIndex[];
}
/** Index steps; none for refused columns. */
export declare function compareIndexes(pair: IndexPair, context: PlanContext): Promise<IndexPlan>;
export declare function toIndexStep(table: string, index: TableIndex): MigrationStep;
