import { type MigrationStep } from '../migration-step.ts';
import type { ActualTable } from '../structure.ts';
import type { Table } from '../table.ts';
import type { PlanContext } from './context.ts';
import { type Rename } from './match.ts';
/** Column renames, under the table's present name. */
export declare function planRenames(table: Table, actual: ActualTable, renames: readonly Rename[], context: PlanContext): void;
/** Table renames; foreign keys and indexes follow. */
export declare function planTableRenames(context: PlanContext): void;
/** A name in use that another table or column shall get. */
interface Taken {
    readonly name: string;
    readonly was: string;
    readonly isTable: boolean;
    /** Location in the definition file. */
    readonly path: string;
}
/** Refuses a rename to a name in use. */
export declare function refuseTaken(table: Table, taken: Taken, counts: {
    readonly there: number;
    readonly coming: number;
    readonly isNeeded: boolean;
}): MigrationStep;
export {};
