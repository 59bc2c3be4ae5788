import type { Dialect } from '../../../database/database.ts';
import type { Row } from '../../../database/row-statement.ts';
import { fromStoredDecimal, toStoredDecimal } from '../../../database/stored-decimal.ts';
import { listNames } from '../../../model/filter/operand.ts';
import { hasNul, toPlain } from '../../../model/filter/plain.ts';
import type { SourceColumn } from '../source/source.ts';
import { type Draft, describeColumn, isGiven } from './draft.ts';
import { toJsonPath } from './json-path.ts';

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

/** Maximum characters of a cursor that a client sends. */
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

/** A value of a cursor as the column compares it; undefined if the column cannot hold it. */
function toCompared(column: SourceColumn, value: unknown, dialect: Dialect): unknown {
  const { scale } = column;
  if (scale === undefined || value === null) return isOf(column, value) ? value : undefined;
  const stored = typeof value === 'string' ? toStoredDecimal(value, scale, dialect) : undefined;
  // A cursor has the text that a row shows.
  return stored !== undefined && fromStoredDecimal(stored, scale, dialect) === value ? stored : undefined;
}

/** The values of a cursor; undefined if it is invalid or belongs to another sort. One of code may hold a text of any length. */
export function parseCursor(
  text: unknown,
  order: readonly Order[],
  { dialect, isFromClient }: { readonly dialect: Dialect; readonly isFromClient: boolean },
): unknown[] | undefined {
  if (typeof text !== 'string' || (isFromClient && text.length > CURSOR_CHARACTERS)) return undefined;
  try {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!Array.isArray(read) || read.length !== order.length + 1 || read[0] !== toOrderLabel(order)) return undefined;
    const values = order.map(({ column }, index) => toCompared(column, read[index + 1], dialect));
    return values.includes(undefined) ? undefined : values;
  } catch {
    return undefined;
  }
}

const MAX_ORDER = 5;

type Input = Readonly<Record<string, unknown>>;

/** Parses `-column,column`, a list of those, or an object of column to `ASC` or `DESC`. */
export function listSorts(raw: unknown): [string, unknown][] {
  if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return Object.entries(raw);
  return listNames(raw)
    .filter((text) => text !== '')
    .map((text) => (text.startsWith('-') ? [text.slice(1), 'DESC'] : [text.replace(/^\+/, ''), 'ASC']));
}

/**
 * The value at a path as two hidden sort columns, one per kind of value. Missing values sort first, then numbers,
 * then texts.
 */
function createPathOrder(column: SourceColumn, path: string, place: number, draft: Draft): SourceColumn[] {
  const slot = draft.values.add('path', path);
  return (['text', 'number'] as const).map((kind) => ({
    ...column,
    name: `treadle_${kind}_${place}_${column.name}`,
    isNullable: true,
    part: { slot, kind },
  }));
}

/** The sort columns for a name, or the error. */
function findColumns(wanted: string, place: number, draft: Draft): readonly SourceColumn[] | string {
  const { source } = draft;
  const dot = wanted.indexOf('.');
  const head = dot < 0 ? wanted : wanted.slice(0, dot);
  const column = source.sortable.get(head);
  if (!column) return describeColumn(source.columns.has(head) ? head : wanted, source, source.sortable, 'sortable');
  if (column.type !== 'json') {
    return dot < 0 ? [column] : `"${wanted.slice(0, 64)}" does not exist: ${column.name} is not JSON.`;
  }
  const path = dot < 0 ? undefined : toJsonPath(wanted.slice(dot + 1).split('.'));
  return path === undefined
    ? `"${wanted.slice(0, 64)}" is JSON: sort by a key within it, such as ${column.name}.key.`
    : createPathOrder(column, path, place, draft);
}

/** Parses `sort` (or the older `order`); the primary key is always added last. */
export function parseOrder(input: Input, draft: Draft): Order[] {
  const { source, errors } = draft;
  const name = isGiven(input.sort) ? 'sort' : 'order';
  const sorts = isGiven(input[name]) ? listSorts(input[name]) : [];
  if (sorts.length > MAX_ORDER) errors[name] = `"${name}" takes at most ${MAX_ORDER} columns.`;
  const order: Order[] = [];
  for (const [place, [wanted, direction]] of sorts.slice(0, MAX_ORDER).entries()) {
    const columns = findColumns(wanted, place, draft);
    const word = toPlain(direction).toUpperCase();
    const parameter = `${name}[${wanted}]`;
    if (typeof columns === 'string') errors[parameter] = columns;
    else if (word !== 'ASC' && word !== 'DESC')
      errors[parameter] = `"${wanted.slice(0, 64)}" must be sorted ASC or DESC.`;
    else {
      for (const column of columns) {
        if (order.some((other) => other.column.name === column.name)) continue;
        const label = column.part === undefined ? {} : { label: `${wanted} ${column.part.kind}` };
        order.push({ column, isDescending: word === 'DESC', ...label });
      }
    }
  }
  // The key sorts in the direction of the previous column, so that one index on that column serves both.
  if (!order.some(({ column }) => column.name === source.primary.name)) {
    order.push({ column: source.primary, isDescending: order.at(-1)?.isDescending ?? false });
  }
  return order;
}
