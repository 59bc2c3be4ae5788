import { type MigrationStep } from '../migration-step.ts';
import type { ActualTable } from '../structure.ts';
import type { Table, TableColumn } from '../table.ts';
import { type PlanContext } from './context.ts';
/** A new column in an existing table. */
export interface Addition {
    /** Final definition of the column. */
    readonly column: TableColumn;
    /**
     * Name under which it is added: a temporary one while another column, to be renamed, still has its name.
     */
    readonly from: string;
    readonly steps: readonly MigrationStep[];
    /** Value for existing rows, set before the column becomes required. */
    readonly fill?: string | number;
    /** Whether its constraint is added later, because existing rows have no value yet. */
    readonly isLater: boolean;
    readonly refusal?: MigrationStep;
}
/** Plans one new column. In an undo its former values are restored from their copy. */
export declare function addColumn(table: Table, wanted: TableColumn, actual: ActualTable, context: PlanContext): Promise<Addition>;
/** Whether SQLite must rebuild the table: for a default after restored values, or a later constraint. */
export declare const needsRebuild: ({ isLater, column }: Addition, isRestored: boolean) => boolean;
