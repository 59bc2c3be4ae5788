import type { Request } from '../../core/request.ts';
import type { Database, Row } from '../../database/database.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { type Returning } from '../../query/returning.ts';
import type { HeldRows, Reach } from '../../query/searcher.ts';
import type { RowTools } from './draft.ts';
interface Written {
    readonly event: string;
    readonly request: Request;
    readonly schema: SchemaModel;
    readonly reach: Reach;
    readonly tools: RowTools;
}
/**
 * What the one statement returns. Undefined if the write takes more than one: a transaction is open, a listener hears of
 * it, a rule judges the row after it or hides a part of it, or an uploaded file must go with it when it fails.
 */
export declare function findOneStatement({ plan, services: { database }, isHeard }: Context, { event, request, schema, reach, tools }: Written): Returning | undefined;
/** Inserts a row with its search words; gives it as a search does. */
export declare function insertOne(database: Database, schema: SchemaModel, row: Row, returning: Returning): Promise<Row | undefined>;
/**
 * Changes a row and its search words; gives it as a search does. Undefined if it no longer exists, or `held` no longer
 * applies to it.
 */
export declare function updateOne(database: Database, schema: SchemaModel, id: number, { row, held, returning }: {
    readonly row: Row;
    readonly held: HeldRows | undefined;
    readonly returning: Returning;
}): Promise<Row | undefined>;
export {};
