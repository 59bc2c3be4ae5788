import type { Row } from '../database/database.ts';
import type { SourceColumn } from './source.ts';

/** A column that rows are sorted by. */
export interface Order {
  readonly column: SourceColumn;
  readonly isDescending: boolean;
}

/** The sort in words, which a cursor carries: one from another sort would skip rows. */
export const toOrderKey = (order: readonly Order[]): string =>
  order.map(({ column, isDescending }) => (isDescending ? `-${column.name}` : column.name)).join(',');

/** A place among sorted rows, opaque: the values that the row is sorted by, the primary key last. */
export function toCursor(order: readonly Order[], row: Row): string {
  const values = order.map(({ column }) => row[column.name] ?? null);
  return Buffer.from(JSON.stringify([toOrderKey(order), ...values]), 'utf8').toString('base64url');
}

const CURSOR_CHARACTERS = 8192;

/** The values of a cursor; undefined where it is none, or one of another sort. */
export function parseCursor(text: unknown, order: readonly Order[]): unknown[] | undefined {
  if (typeof text !== 'string' || text.length > CURSOR_CHARACTERS) return undefined;
  try {
    const read = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown;
    if (!Array.isArray(read) || read.length !== order.length + 1 || read[0] !== toOrderKey(order)) return undefined;
    const values = read.slice(1) as unknown[];
    return values.every((value) => value === null || typeof value === 'string' || typeof value === 'number')
      ? values
      : undefined;
  } catch {
    return undefined;
  }
}
