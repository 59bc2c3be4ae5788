import type { Messages } from '../../core/response.ts';
import type { Row } from '../../database/database.ts';
import { type PrepareTools } from '../../model/field-kind.ts';
import type { FedRow } from '../../plan/row-feed.ts';
import type { ImportPlan, LinkColumn } from './import-plan.ts';
import { type Stage } from './stage.ts';
/** A row on its way through an import. */
export interface ImportRow {
    readonly given: FedRow;
    /** The sent values by full column name. */
    readonly stage: Stage;
    /** Ids of the rows to link, if the file has the relation. */
    links: ReadonlyMap<LinkColumn, readonly number[]>;
    /** Faults that apply to both create and update. */
    readonly messages: Messages;
    /** Faults of the row as a new row, and as a change of a stored row. */
    faults: {
        readonly create: Messages;
        readonly update: Messages;
    };
    /** For a new row, all values to store; for a change, the values to store of what was sent. */
    stored: Row;
    /** The stored row that it changes; undefined for a new one. */
    id: number | undefined;
}
export interface ReadOptions {
    /** True: a key that is neither a column nor a field is ignored. False: it is a fault. */
    readonly ignoresUnknown: boolean;
    /** See {@link RowFeedOptions.isOwn}. */
    readonly isOwn: boolean;
    readonly tools: PrepareTools;
}
/**
 * Reads and validates rows as far as possible without the database, and prepares their values. The slow work
 * (hashes, HTML) happens here, before anything waits for the transaction.
 */
export declare function readRows(given: readonly FedRow[], plan: ImportPlan, options: ReadOptions): Promise<ImportRow[]>;
/** System values of new rows. All rows share one object, unless they have random identifiers. */
export declare function toSystemValues({ rows, system }: ImportPlan, tools: PrepareTools): (row: ImportRow) => Row;
/** The columns to update: only what was sent, and the updated time. */
export declare function toChange({ stored, stage }: ImportRow, { rows: { schema } }: ImportPlan, tools: PrepareTools): Row;
