import type { Database, Row } from '../database/database.ts';
import type { ActiveWanted } from './draft.ts';
import { type RowTest, type Sight } from './predicate.ts';
import { type RelatedInput } from './related.ts';
import type { Source } from './source.ts';
import { type Statement } from './statement.ts';
/** A row with all its lists, by its primary key in slot 0; the values of rules follow. */
export interface DetailInput {
    readonly source: Source;
    readonly relations: readonly RelatedInput[];
    readonly wanted: ActiveWanted;
    readonly rows: RowTest | undefined;
    readonly sight: Sight;
}
/**
 * True if the database can format the row and its lists as JSON in one statement, which saves round trips to its
 * thread.
 */
export declare function isOneStatement({ source, relations }: DetailInput, database: Database): boolean;
/** Compiles a row and its lists, each as one JSON text. */
export declare function compileDetail({ source, relations, wanted, rows, sight }: DetailInput, database: Database): Statement;
/** The row found by {@link compileDetail}; its lists stay text until they are read. */
export declare function toDetailRow(found: Row | undefined, { relations }: DetailInput): Row | undefined;
