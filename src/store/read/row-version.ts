import { hash } from 'node:crypto';
import { memoize } from '../../core/memoize.ts';
import type { Row } from '../../database/row-statement.ts';
import type { SchemaModel } from '../../model/model.ts';

/** What is computed follows from the row's own values, or from related rows. */
const listWritten = memoize(({ row, byName }: SchemaModel) =>
  row.stored.filter((name) => byName.get(name)?.computed === undefined),
);

/**
 * The version of a row: a hash of its own values. Changes of related rows do not change it. Undefined if the row
 * lacks its primary key.
 */
export function toRowVersion(schema: SchemaModel, row: Readonly<Row>): string | undefined {
  if (row[schema.primary] === undefined) return undefined;
  const values = listWritten(schema).map((name) => row[name] ?? null);
  return hash('sha1', JSON.stringify(values), 'base64url').slice(0, 16);
}
