import type { SchemaModel } from '../../model/model.ts';
import type { Format } from './read.ts';
type Row = Readonly<Record<string, unknown>>;
export interface WriteOptions {
    readonly schema: SchemaModel;
    readonly columns: readonly string[];
    readonly format: Format;
    /** Writes CSV cells unchanged, including those that a spreadsheet would run as a formula. */
    readonly isRaw: boolean;
}
/** Rows as the lines of a file, without line breaks. */
export declare function printRows(pages: AsyncIterable<readonly Row[]>, options: WriteOptions): AsyncGenerator<string>;
export {};
