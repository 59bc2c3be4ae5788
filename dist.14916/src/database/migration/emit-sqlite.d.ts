import type { MigrationStep } from '../migration-step.ts';
import type { ActualColumn, ActualIndex, ActualTable } from '../structure.ts';
import type { Table, TableColumn } from '../table.ts';
import type { ColumnChange } from './compare-column.ts';
import { type PlanContext } from './context.ts';
/** A column of a rebuilt table: its definition under its present name, and the expression that fills it. */
export interface Rebuilt {
    readonly column: TableColumn;
    readonly value: string;
}
/**
 * The steps of one column. The rebuild contains the SQL for types and constraints, so these steps have
 * little of their own.
 */
export declare function toSqliteSteps(change: ColumnChange, actual: ActualTable, isRebuilt: boolean, context: PlanContext): MigrationStep[];
/** Expression that fills a column of the rebuilt table. */
export declare function toRebuilt({ column, from, parts }: ColumnChange, actual: ActualTable, context: PlanContext): Rebuilt;
export interface Rebuild {
    readonly table: Pick<Table, 'isCounting'>;
    readonly actual: ActualTable;
    /** Wanted columns, by present names. */
    readonly columns: readonly Rebuilt[];
    /** Columns without a definition that stay, and whether they keep their foreign key. */
    readonly left: readonly {
        readonly column: ActualColumn;
        readonly isLed: boolean;
    }[];
    readonly indexes: readonly ActualIndex[];
}
/**
 * SQLite cannot change a column in place: a new table is created, filled, and renamed to the old name. Runs
 * with foreign keys off, because dropping a table deletes the rows that refer to it. @see
 * https://www.sqlite.org/lang_altertable.html section 7
 */
export declare function rebuildSql({ table, actual, columns, left, indexes }: Rebuild): string[];
/** Otherwise ids of deleted rows at the end would be reused. */
export declare function moveCounterSql(from: string, to: string): string[];
