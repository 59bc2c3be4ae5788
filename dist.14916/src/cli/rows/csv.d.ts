import type { RowStream } from './row.ts';
/**
 * Reads CSV as a stream. The first line is the header; cells are separated by comma, semicolon or tab.
 *
 * @param checkHeading Called with the names of the header, before any row.
 * @see RFC 4180
 * @throws IMPORT_FILE_BROKEN
 */
export declare function readCsv(pieces: AsyncIterable<string>, checkHeading?: (names: readonly string[]) => void): RowStream;
/** One line of CSV, without its line break. */
export declare const toCsvLine: (cells: readonly unknown[], isRaw?: boolean) => string;
