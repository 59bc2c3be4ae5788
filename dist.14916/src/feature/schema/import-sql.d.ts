import type { Database, Row } from '../../database/database.ts';
import type { RelationModel, SchemaModel } from '../../model/model.ts';
/** A column with its PostgreSQL type, to which the values of a JSON parameter are cast. */
export interface TypedColumn {
    readonly name: string;
    readonly type: string;
}
/** Runs a long import with the larger page cache. Call it inside the import's transaction. */
export declare function withRoom<T>(database: Database, fn: () => Promise<T>): Promise<T>;
/** Maps each of the values that some row has in the column to that row's id. */
export declare function findIds(database: Database, { table, primary }: SchemaModel, column: TypedColumn, values: readonly unknown[]): Promise<Map<unknown, number>>;
/** Selected columns of rows, by id. */
export declare function findRows(database: Database, { table, primary }: SchemaModel, ids: readonly number[], columns: readonly string[]): Promise<Map<number, Row>>;
/**
 * Ids for new rows, as the database would assign them. On SQLite the transaction is the only writer, so nobody
 * else takes them in the meantime; on PostgreSQL they come from the sequence.
 */
export declare function takeIds(database: Database, { table, primary }: SchemaModel, count: number, taken: ReadonlySet<number>): Promise<number[]>;
/** Inserts rows, each a JSON array of these columns' values, in one statement. */
export declare function insertRows(database: Database, table: string, columns: readonly TypedColumn[], rows: readonly string[]): Promise<void>;
/** Updates rows, each a JSON array of its id and these columns' values, in one statement. */
export declare function updateRows(database: Database, { table, primary }: SchemaModel, columns: readonly TypedColumn[], rows: readonly string[]): Promise<void>;
export declare function removeRows(database: Database, { table, primary }: SchemaModel, ids: readonly number[]): Promise<void>;
/** Adds rows to a join table, as pairs of source and target. Existing pairs stay. */
export declare function insertLinks(database: Database, { table, sourceColumn, targetColumn }: RelationModel, pairs: readonly (readonly [number, number])[]): Promise<void>;
/** Ids of the targets that these sources are linked with in a join table. */
export declare function listTargets({ kysely }: Database, { table, sourceColumn, targetColumn }: RelationModel, sources: readonly number[]): Promise<readonly number[]>;
/** Deletes the rows of a join table with these sources, but not those that lead to the kept targets. */
export declare function clearLinks(database: Database, { table, sourceColumn, targetColumn }: RelationModel, sources: readonly number[], kept?: readonly number[]): Promise<void>;
