import type { FigureSource } from '../../core/figure.ts';
import type { Readers } from './readers.ts';
import type { Writer } from './writer.ts';
export interface SqliteWatched {
    readonly writer: Writer;
    readonly readers: Readers | undefined;
    readonly file?: string | undefined;
}
/** Metrics of a SQLite database. */
export declare function listSqliteFigures({ writer, readers, file }: SqliteWatched): readonly FigureSource[];
