import type { Request } from '../../core/request.ts';
import type { Refusal } from '../../core/response.ts';
import type { Reach } from '../../query/searcher.ts';
import type { ImportPlan } from './import-plan.ts';
import type { RowPlan } from './row-plan.ts';
/** What a write may reach, or why it is refused. */
export type Writable = {
    readonly reach: Reach;
} | {
    readonly failure: Refusal;
};
/**
 * Refuses columns, and ids of rows to link, that the request brought but may not write; else gives the rows that it
 * may write so.
 *
 * @param key The column that identifies the row; exempt from the check.
 */
export declare function holdToWritable(request: Request, plan: RowPlan, reach: Reach, key?: string): Writable;
/** As {@link holdToWritable}, for imported rows. */
export declare function holdToWritableKeys(request: Request, rows: readonly unknown[], plan: ImportPlan, reach: Reach): Writable;
/** Whether imported rows name rows to link. */
export declare const hasLinks: (rows: readonly unknown[], { keys }: ImportPlan) => boolean;
