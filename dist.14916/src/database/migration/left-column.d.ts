import { type MigrationStep } from '../migration-step.ts';
import type { ActualColumn, ActualTable } from '../structure.ts';
import type { Table, TableColumn } from '../table.ts';
import { type PlanContext } from './context.ts';
/** A column without a definition. */
export interface LeftColumn {
    readonly column: ActualColumn;
    /** Memory of it, if it stays and is Treadle's. */
    readonly state?: TableColumn;
    readonly isGone: boolean;
    /** Whether it becomes optional or loses its foreign key. */
    readonly isLoosened: boolean;
    /** Whether it keeps its foreign key. */
    readonly isLed: boolean;
    readonly steps: readonly MigrationStep[];
    readonly refusal?: MigrationStep;
}
interface Place {
    readonly table: Table;
    readonly actual: ActualTable;
    readonly column: ActualColumn;
}
/**
 * Drops a column of Treadle's if loss is allowed, with a copy of its values; otherwise keeps it, but makes
 * it optional and removes its foreign key, because nobody could see why a row cannot be created or removed.
 * Columns created by users stay unchanged.
 */
export declare function planLeftColumn(place: Place, context: PlanContext): Promise<LeftColumn>;
export {};
