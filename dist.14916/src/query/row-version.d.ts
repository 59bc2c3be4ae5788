import type { Row } from '../database/database.ts';
import type { SchemaModel } from '../model/model.ts';
/**
 * The version of a row: a hash of its own values. Changes of related rows do not change it. Undefined if the row
 * lacks its primary key.
 */
export declare function toRowVersion(schema: SchemaModel, row: Readonly<Row>): string | undefined;
