import type { Row } from '../database/database.ts';
import { hasNul } from './draft.ts';
import type { SourceColumn } from './source-column.ts';

/** A column to sort by. */
export interface Order {
  readonly column: SourceColumn;
  readonly isDescending: boolean;
  /** The requested name, if it differs from the column's: a path within JSON. */
  readonly label?: string;
}

const toLabel = ({ column, isDescending, label = column.name }: Order): string =>
  `${isDescending ? '-' : ''}${label.replaceAll(',', ' ')}`;

/** The sort as text. A cursor carries it, because a cursor of another sort would skip rows. */
const toOrderLabel = (order: readonly Order[]): string => order.map(toLabel).join(',');

/** What a statement depends on of the sort. */
export const toOrderKey = (order: readonly Order[]): string =>
  order.map(({ column, isDescending }) => (isDescending ? `-${column.name}` : column.name)).join(',');

/** An opaque position among sorted rows: the row's sort values, the primary key last. */
export function toCursor(order: readonly Order[], row: Row): string {
  const values = order.map(({ column }) => row[column.name] ?? null);
  return Buffer.from(JSON.stringify([toOrderLabel(order), ...values]), 'utf8').toString('base64url');
}

const CURSOR_CHARACTERS = 8192;

/**
 * True if the column may hold the value: a forged cursor must not make the database compare a number with a text.
 */
function isOf({ type, isWhole, isNullable, part }: SourceColumn, value: unknown): boolean {
  if (value === null) return isNullable;
  const isText = part === undefined ? type === 'text' || type === 'date' || type === 'moment' : part.kind === 'text';
  if (isText) return typeof value === 'string' && !hasNul(value);
  if (part !== undefined || (type === 'number' && !isWhole)) return typeof value === 'number';
  return Number.isSafeInteger(value);
}

/** The values of a cursor; undefined if it is invalid or belongs to another sort. */
export function parseCursor(text: unknown, order: readonly Order[]): unknown[] | undefined {
  if (typeof text !== 'string' || text.length > CURSOR_CHARACTERS) return undefined;
  try {
    const read = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown;
    if (!Array.isArray(read) || read.length !== order.length + 1 || read[0] !== toOrderLabel(order)) return undefined;
    const values = read.slice(1) as unknown[];
    return order.every(({ column }, index) => isOf(column, values[index])) ? values : undefined;
  } catch {
    return undefined;
  }
}
