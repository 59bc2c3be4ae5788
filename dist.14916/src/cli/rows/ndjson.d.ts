import type { RowStream } from './row.ts';
/** Reads NDJSON: one object per line. Other lines are reported, and the rest is read. */
export declare function readLines(pieces: AsyncIterable<string>): RowStream;
