import { hash } from 'node:crypto';
import type { Row } from '../database/database.ts';
import type { SchemaModel } from '../model/model.ts';

const kept = new WeakMap<SchemaModel, readonly string[]>();

/** The columns that are stored with the row itself: its fields and what leads to other rows, but nothing of those. */
function listOwn(schema: SchemaModel): readonly string[] {
  const known = kept.get(schema);
  if (known) return known;
  const names = new Set([schema.primary, ...schema.columns.map(({ name }) => name)]);
  for (const { table, targetColumn } of schema.relations)
    if (table === schema.table && targetColumn !== undefined) names.add(targetColumn);
  for (const { table, sourceColumn } of schema.reverse)
    if (table === schema.table && sourceColumn !== undefined) names.add(sourceColumn);
  const own = [...names];
  kept.set(schema, own);
  return own;
}

/**
 * The version of a row: another one whenever a value of its own changes, whatever becomes of the rows that it leads to.
 * Undefined for a row of which columns were left out.
 */
export function toRowVersion(schema: SchemaModel, row: Readonly<Row>): string | undefined {
  if (row[schema.primary] === undefined) return undefined;
  const values = listOwn(schema).map((name) => row[name] ?? null);
  return hash('sha1', JSON.stringify(values), 'base64url').slice(0, 16);
}
