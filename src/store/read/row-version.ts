import { hash } from 'node:crypto';
import type { Row } from '../../database/row-statement.ts';
import type { SchemaModel } from '../../model/model.ts';

/**
 * The version of a row: a hash of its own values. Changes of related rows do not change it. Undefined if the row
 * lacks its primary key.
 */
export function toRowVersion(schema: SchemaModel, row: Readonly<Row>): string | undefined {
  if (row[schema.primary] === undefined) return undefined;
  const values = schema.row.stored.map((name) => row[name] ?? null);
  return hash('sha1', JSON.stringify(values), 'base64url').slice(0, 16);
}
