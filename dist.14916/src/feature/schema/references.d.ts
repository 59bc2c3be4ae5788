import type { Database, Row } from '../../database/database.ts';
import type { Model, SchemaModel } from '../../model/model.ts';
export interface ReferenceOptions {
    readonly model: Model;
    readonly schema: SchemaModel;
    readonly database: Database;
    /**
     * `hard`: all rows that the database's foreign keys would refuse for. `soft`: only active rows, and only of
     * relations with `"onRemove": "restrict"`; a 1:1 without it does not prevent a soft removal.
     */
    readonly mode: 'hard' | 'soft';
}
/** The rows that still refer to a row, in words: `2 Comments and 1 Article`. Undefined if there are none. */
export declare function describeReferences(row: Row, options: ReferenceOptions): Promise<string | undefined>;
