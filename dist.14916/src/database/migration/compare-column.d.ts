import type { CopyNote, MigrationStep } from '../migration-step.ts';
import type { ActualColumn, ActualTable } from '../structure.ts';
import type { Table, TableColumn } from '../table.ts';
import { type PlanContext } from './context.ts';
import { type Conversion } from './convert.ts';
import type { Found } from './count.ts';
/** One change of a column; the dialect decides how. */
export interface Part {
    readonly aspect: 'type' | 'values' | 'required' | 'default' | 'reference';
    readonly step: MigrationStep;
    readonly conversion?: Conversion;
    /** Name of the copy of the former values. */
    readonly copy?: string;
    /** Value for rows that have none. */
    readonly fill?: string | number;
}
/** A column as it is, as wanted, and the changes between. */
export interface ColumnChange {
    /** As wanted, by future names. */
    readonly column: TableColumn;
    readonly from: ActualColumn;
    readonly parts: readonly Part[];
    readonly refused: readonly MigrationStep[];
}
export interface ColumnPair {
    readonly table: Table;
    readonly wanted: TableColumn;
    readonly actualTable: ActualTable;
    readonly actual: ActualColumn;
}
/** `5 rows (1, 2, 7, …)` */
export declare const nameRows: ({ count, ids }: Found) => string;
/** Records a copy of changed values and returns its name. */
export declare function noteCopy(context: PlanContext, note: Omit<CopyNote, 'copy'>): string;
/** All differences between an existing column and the wanted one. */
export declare function compareColumn(pair: ColumnPair, context: PlanContext): Promise<ColumnChange>;
