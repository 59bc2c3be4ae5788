import type { Messages } from '../../core/response.ts';
import type { FedRow } from '../../plan/row-feed.ts';
import type { Terminal } from '../terminal.ts';
/** An invalid row. */
export interface BadRow {
    readonly line: number;
    readonly message: string;
}
/**
 * The invalid rows of an import: each message with all its lines, because an unknown column is a fault of
 * every row. They are all kept in memory only for `--json`; a file is written as they occur.
 */
export declare class BadRows {
    #private;
    readonly all: BadRow[];
    count: number;
    /** @param file Gets the invalid rows as NDJSON: line, messages by column, and the row as read. */
    constructor(keepsAll: boolean, file: string | undefined);
    add({ line, values }: FedRow, messages: Readonly<Messages>): void;
    /** Waits until the file accepts more. */
    drain(): Promise<void>;
    close(): Promise<void>;
    tell({ say, red }: Terminal, place: string): void;
}
