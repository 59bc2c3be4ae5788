import type { Messages } from '../../core/response.ts';
import type { Database, Row } from '../../database/database.ts';
import type { FedRow } from '../../plan/row-feed.ts';
import type { ImportPlan } from './import-plan.ts';
import type { ImportRow } from './import-row.ts';
/** Filters ids of rows to those that the caller sees through a relation. */
export type Sees = (schema: string, ids: readonly number[]) => Promise<ReadonlySet<number>>;
interface PendingOptions {
    readonly plan: ImportPlan;
    readonly database: Database;
    readonly sees?: Sees;
}
/** A row with a link to a target that never came. */
export interface Dangling {
    readonly given: FedRow;
    readonly messages: Messages;
    /** True if the row was deleted again. */
    readonly isRemoved: boolean;
}
/**
 * Links between rows of one table. A row may name one that comes later in the file, so the link is stored once
 * both rows exist: usually at the end of the batch.
 */
export declare class PendingLinks {
    #private;
    constructor({ plan, database, sees }: PendingOptions);
    /** Finds out which targets of a batch's links already exist. */
    look(rows: readonly ImportRow[]): Promise<void>;
    /** Removes keys from a row's values if their target does not exist yet. */
    hold(row: ImportRow, values: Row): Row;
    /** Stores the links of written rows, and the links that waited for these rows. */
    settle(written: readonly {
        readonly row: ImportRow;
        readonly id: number;
    }[]): Promise<void>;
    /**
     * At the end of the file: reports rows with links to missing rows, and deletes those that the import created.
     */
    finish(): Promise<Dangling[]>;
}
export {};
