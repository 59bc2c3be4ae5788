import type { Row } from '../database/database.ts';
import type { Source } from './source.ts';

function decode(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    // Invalid JSON, written by another program: returned as it is.
    return value;
  }
}

/** The column that lists the columns which a row hides, with commas between them. */
export const HIDDEN = 'treadle_hidden';

/** A hidden column is absent, so that nobody takes it for an empty one. */
function removeHidden(row: Row): void {
  for (const name of String(row[HIDDEN]).split(',')) delete row[name];
  delete row[HIDDEN];
}

/** Decodes JSON columns, and removes the columns that a row hides, in place. */
export function decodeRows({ json }: Source, rows: Row[]): Row[] {
  const [first] = rows;
  if (first !== undefined && Object.hasOwn(first, HIDDEN)) for (const row of rows) removeHidden(row);
  if (json.length > 0) {
    for (const row of rows) for (const name of json) if (Object.hasOwn(row, name)) row[name] = decode(row[name]);
  }
  return rows;
}

/** A key as the column compares it; undefined if no row can have it. */
export function toKeyValue(isInteger: boolean, value: unknown): string | number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (!isInteger) return String(value);
  return /^\d{1,15}$/.test(String(value)) ? Number(value) : undefined;
}
