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

/** Decodes JSON columns in place. */
export function decodeRows({ json }: Source, rows: Row[]): Row[] {
  if (json.length > 0) {
    for (const row of rows) for (const name of json) if (Object.hasOwn(row, name)) row[name] = decode(row[name]);
  }
  return rows;
}

/** A row that the database printed as JSON. */
export const parseRow = (text: string | undefined): Row | undefined =>
  text === undefined ? undefined : (JSON.parse(text) as Row);

/** A key as the column compares it; undefined if no row can have it. */
export function toKeyValue(isInteger: boolean, value: unknown): string | number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (!isInteger) return String(value);
  return /^\d{1,15}$/.test(String(value)) ? Number(value) : undefined;
}
