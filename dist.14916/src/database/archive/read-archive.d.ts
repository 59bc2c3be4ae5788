import { type ArchiveTable, Header, type RowBatch, type RowSource, type TableSum } from './shape.ts';
/** Items of an archive, in order. */
export type Entry = RowBatch | TableSum | {
    readonly file: string;
    readonly bytes: number;
} | {
    readonly part: string;
} | {
    readonly fileEnd: string;
    readonly sha256: string;
};
/** An archive file; each read starts at the beginning. */
export declare class Archive implements RowSource {
    readonly file: string;
    readonly header: Header;
    private constructor();
    /** @throws ARCHIVE_UNKNOWN if the file is no archive or has a newer format. @throws ARCHIVE_BROKEN */
    static open(file: string): Promise<Archive>;
    get dialect(): Header['dialect'];
    get tables(): readonly ArchiveTable[];
    /** All entries in order, checked while reading. @throws ARCHIVE_BROKEN */
    entries(): AsyncGenerator<Entry>;
    read(): AsyncGenerator<RowBatch | TableSum>;
    /** Reads the whole archive and keeps only the sums. @throws ARCHIVE_BROKEN */
    verify(told?: (rows: number) => void): Promise<Verified>;
}
export interface Verified {
    readonly sums: readonly TableSum[];
    readonly files: number;
    readonly rows: number;
}
