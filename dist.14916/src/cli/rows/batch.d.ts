import type { FedRow } from '../../plan/row-feed.ts';
import type { RowStream } from './row.ts';
export interface BatchOptions {
    readonly map: ReadonlyMap<string, string>;
    /** Keys of raw JSON, if the file is CSV and has them as text; called when the first rows are read. */
    readonly listJson: () => readonly string[];
}
/** Converts the rows of a file to batches for the import. */
export declare function splitRows(rows: RowStream, options: BatchOptions): AsyncGenerator<FedRow[]>;
