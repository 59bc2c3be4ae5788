import type { RowStream } from './row.ts';
export declare const FORMATS: readonly ['ndjson', 'json', 'csv'];
export type Format = (typeof FORMATS)[number];
/** The format for a file extension; undefined without one. @throws CLI_USAGE for the extension of another format. */
export declare function findFormat(file: string): Format | undefined;
export interface ReadOptions {
    /** If undefined, the format is guessed from the text. */
    readonly format: Format | undefined;
    /** Called with the names of a CSV header, before any row. */
    readonly checkHeading?: (names: readonly string[]) => void;
}
/** Reads the rows of a text as a stream. @throws IMPORT_FILE_BROKEN at a fatal error. */
export declare function readRows(pieces: AsyncIterable<string>, { format, checkHeading }: ReadOptions): RowStream;
