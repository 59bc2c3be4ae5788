import type { Response } from '../../core/response.ts';
import type { Row } from '../../database/database.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { type Reach } from '../../query/searcher.ts';
/** True if `detail` shows all of a row that the write reaches: then no second read is needed. */
export declare function isWholeVisible(schema: SchemaModel, reach: Reach): boolean;
/**
 * A written row as the caller's `detail` grant shows it; only the id if the grant does not reach the row.
 * Undefined if it is {@link isWholeVisible}.
 */
export declare function readVisible(context: Context, schema: SchemaModel, id: number, reach: Reach): Promise<Row | undefined>;
/**
 * Replaces the written row in the response by its visible part, with what `after` listeners changed. Call it after the web
 * hooks took the whole row.
 */
export declare function answerVisible(response: Response, shown: Row | undefined, changes: Row): void;
/** The visible row after a change: a changed value shows where the value before it did. */
export declare const toVisibleChange: (shown: Row, before: Row, changed: Row) => Row;
