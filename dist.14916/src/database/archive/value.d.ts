import type { ArchiveColumn, ArchiveTable, Encoded, EncodedRow } from './shape.ts';
/** Prefix of a whole number that was read as text, because a JavaScript number would lose digits. */
export declare const WIDE = "\u0001i:";
/** A driver's value in a form that JSON preserves. */
export declare function encode(value: unknown, { kind }: ArchiveColumn): Encoded;
/** The value for binding to a statement. */
export declare function decode(value: Encoded): unknown;
/** Counts the rows of a table and sums their SHA-256; the order of rows does not matter. */
export declare class Digest {
    #private;
    rows: number;
    constructor({ columns }: Pick<ArchiveTable, 'columns'>);
    /** @param line The row as JSON, if the caller has it already. */
    add(row: EncodedRow, line?: string): void;
    toString(): string;
}
