import type { Messages } from '../../core/response.ts';
import type { Database } from '../../database/database.ts';
import type { PrepareTools } from '../../model/field-kind.ts';
import type { FedRow } from '../../plan/row-feed.ts';
import { type Sees } from './import-pending.ts';
import type { ImportPlan } from './import-plan.ts';
import { type ImportRow } from './import-row.ts';
export interface ImporterOptions {
    readonly plan: ImportPlan;
    readonly database: Database;
    readonly tools: PrepareTools;
    readonly ignoresUnknown: boolean;
    readonly isOwn: boolean;
    readonly isNew: boolean;
    /** Filters ids to those within reach. Default: all are. */
    readonly reached?: (ids: readonly number[]) => Promise<ReadonlySet<number>>;
    /** Filters ids of written rows to those that may be left so. Default: all may. */
    readonly kept?: (ids: readonly number[]) => Promise<ReadonlySet<number>>;
    /** Filters ids of written rows to those that may be linked. Default: all may. */
    readonly linkable?: (ids: readonly number[]) => Promise<ReadonlySet<number>>;
    /** Default: the caller sees every row. */
    readonly sees?: Sees;
    /** Called for each row that is rejected. */
    readonly refuse: (row: FedRow, messages: Messages) => void;
    /** Called for each row that was written. */
    readonly wrote?: (row: FedRow, id: number, action: 'create' | 'update') => void;
}
/**
 * Imports rows of a schema in batches, with a fixed number of statements per batch. Between batches it keeps only
 * one bit per row, and the links that wait for a later row.
 */
export declare class Importer {
    #private;
    created: number;
    updated: number;
    bad: number;
    constructor(options: ImporterOptions);
    /** Reads and validates rows as far as possible without the database. */
    read(given: readonly FedRow[]): Promise<ImportRow[]>;
    /**
     * Checks rows against the data and writes the good ones. Call it inside a transaction, one batch after the
     * other.
     */
    write(rows: readonly ImportRow[]): Promise<void>;
    /** Resolves the links that waited for later rows; a row with an unresolved link is a bad row. */
    finish(): Promise<void>;
}
