import type { RowStream } from './row.ts';
/** Reads a JSON list of objects, or the `rows` of a search's answer, with only a few entries in memory. */
export declare function readList(pieces: AsyncIterable<string>): RowStream;
