import type { Database } from '../../database/database.ts';
import type { IdSet } from './id-set.ts';
import type { Sees } from './import-pending.ts';
import type { ImportPlan } from './import-plan.ts';
import type { ImportRow } from './import-row.ts';
export interface MatchInput {
    readonly plan: ImportPlan;
    readonly database: Database;
    /** Milliseconds since 1970. */
    readonly now: number;
    /** Ids of the rows that this import has already written. */
    readonly written: IdSet;
    /** See {@link RowFeedOptions.isNew}. */
    readonly isNew: boolean;
    /** Default: the caller sees every row. */
    readonly sees?: Sees;
}
/** Separates new rows from changes, and adds the faults of each row to its messages. */
export declare function matchRows(rows: readonly ImportRow[], input: MatchInput): Promise<readonly ImportRow[]>;
