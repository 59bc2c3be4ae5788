import type { Database } from '../database.ts';
import type { Structure } from '../structure.ts';
import type { Table } from '../table.ts';
import { type PlanContext, type UndoFacts } from './context.ts';
import type { Remembered } from './journal.ts';
export interface PlanOptions {
    /** Whether to apply steps that lose data, with a copy. Default false. */
    readonly allowLoss?: boolean;
    /** Values for rows without one in a required column: `article.profile` to text. */
    readonly defaults?: ReadonlyMap<string, string>;
    /** Milliseconds since 1970, for `NOW()`. Default: the system clock. */
    readonly now?: number;
}
export interface Preparation {
    readonly database: Database;
    readonly structure: Structure;
    readonly remembered: Remembered;
    readonly wanted: readonly Table[];
    readonly options: PlanOptions;
}
/** Everything needed to compare with the definitions. */
export declare function prepareComparison(preparation: Preparation): Promise<PlanContext>;
/** Everything needed for an undo: the journal has the names. */
export declare function prepareUndo(preparation: Preparation, names: {
    readonly tables: Map<string, string>;
    readonly columns: Map<string, Map<string, string>>;
}, undo: UndoFacts): PlanContext;
