import type { RowPredicate } from '../core/access.ts';
import type { RelationModel } from '../model/model.ts';
import { type Aggregate, parseAggregate } from './aggregate.ts';
import type { Condition } from './condition.ts';
import { type Order, parseCursor, toOrderKey } from './cursor.ts';
import { type ActiveWanted, Draft, type DraftOptions, describeColumn, type Faults, isGiven, toPlain } from './draft.ts';
import { parseExpand } from './expand.ts';
import { parseFilters } from './filter.ts';
import { toRawList } from './operand.ts';
import { parseOrder } from './order.ts';
import { parsePredicate, parseSight, type RowTest, type SeeRelated, type Sight, toSightKey } from './predicate.ts';
import type { Source, SourceColumn } from './source.ts';
import { parseWords, type Words } from './words.ts';

/** Limits on the size of a page. */
export interface Limits {
  /** Default of `limit`. */
  readonly pageRows: number;
  readonly maxPageRows: number;
  /** Maximum related rows that `expand` may return. */
  readonly expandRows: number;
}

export interface ParseOptions extends DraftOptions {
  readonly limits: Limits;
  /** The rows that may be found. Default all. */
  readonly rows?: RowPredicate | undefined;
  /** The related rows that may be seen. Default all. */
  readonly see?: SeeRelated | undefined;
  /** Gives the source of a related schema. */
  readonly toSource: (schema: string) => Source;
}

/** A parsed search: its shape (`key`), separate from the values to bind. */
export interface Search {
  readonly source: Source;
  /** Searches with the same key share one statement. */
  readonly key: string;
  /** The part of the key that the count depends on. */
  readonly countKey: string;
  readonly conditions: readonly Condition[];
  /** The rows that may be found; undefined for all. */
  readonly rows: RowTest | undefined;
  /** The related rows that may be seen. */
  readonly sight: Sight;
  /** Active rows only, removed rows only, or both. */
  readonly active: ActiveWanted;
  /** Undefined without `q`. */
  readonly words: Words | undefined;
  readonly order: readonly Order[];
  readonly cursor: Cursor | undefined;
  /** Requested columns; undefined for all. */
  readonly fields: readonly SourceColumn[] | undefined;
  readonly expand: readonly RelationModel[];
  /** Undefined if rows are not grouped. */
  readonly aggregate: Aggregate | undefined;
  readonly hasTotal: boolean;
  /** The count stops at this number of rows; undefined if all are counted. */
  readonly mostTotal: number | undefined;
  /** Index of the row limit of a count that stops. */
  readonly totalSlot: number | undefined;
  readonly limit: number;
  readonly offset: number;
  /** Index of the row limit; then the offset, then the sum of both. */
  readonly limitSlot: number;
  readonly values: readonly unknown[];
}

/** The position where a page starts. */
export interface Cursor {
  readonly direction: 'after' | 'before';
  /** Index of its first value; one value per column of the order. */
  readonly slot: number;
  /** Which of its values are null; they need another condition. */
  readonly nulls: readonly boolean[];
}

const MAX_OFFSET = 10_000_000;

type Input = Readonly<Record<string, unknown>>;

function readPageNumber(raw: unknown, least: number, most: number): number | undefined {
  const text = toPlain(typeof raw === 'boolean' ? '' : raw).trim();
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}

interface Window {
  readonly limit: number;
  readonly offset: number;
}

function parseWindow(input: Input, { pageRows, maxPageRows }: Limits, faults: Faults): Window {
  const name = isGiven(input.limit) ? 'limit' : 'range';
  const start = isGiven(input.offset) ? 'offset' : 'start';
  let limit: number | undefined = pageRows;
  let offset: number | undefined = 0;
  if (isGiven(input[name])) limit = readPageNumber(input[name], 1, maxPageRows);
  if (isGiven(input[start])) offset = readPageNumber(input[start], 0, MAX_OFFSET);
  if (limit === undefined) faults[name] = `"${name}" must be a whole number from 1 to ${maxPageRows}.`;
  if (offset === undefined) faults[start] = `"${start}" must be a whole number from 0 to ${MAX_OFFSET}.`;
  return { limit: limit ?? pageRows, offset: offset ?? 0 };
}

function parseFields(input: Input, source: Source, faults: Faults): SourceColumn[] | undefined {
  const name = isGiven(input.fields) ? 'fields' : 'columns';
  if (!isGiven(input[name])) return undefined;
  const fields: SourceColumn[] = [source.primary];
  for (const item of toRawList(input[name])) {
    const wanted = toPlain(item);
    const column = source.columns.get(wanted);
    if (!column) {
      faults[name] = describeColumn(wanted, source, source.columns, 'shown');
      break;
    }
    if (!fields.some((other) => other.name === column.name)) fields.push(column);
  }
  return fields;
}

/** The fields, and the columns of the 1:1 relations in `expand`: without `fields` a row has them anyway. */
function withJoined(fields: SourceColumn[] | undefined, input: Input, source: Source): SourceColumn[] | undefined {
  if (fields === undefined || !isGiven(input.expand)) return fields;
  const names = new Set(toRawList(input.expand).map(toPlain));
  const joined = source.schema.row.flat.flatMap(({ name, relation }) =>
    names.has(relation.name) ? (source.columns.get(name) ?? []) : [],
  );
  return [...fields, ...joined.filter(({ name }) => !fields.some((field) => field.name === name))];
}

function parseCursors(input: Input, order: readonly Order[], draft: Draft): Cursor | undefined {
  const direction = isGiven(input.after) ? 'after' : 'before';
  if (!isGiven(input[direction])) return undefined;
  const { faults } = draft;
  if (direction === 'after' && isGiven(input.before)) faults.before = '"after" and "before" exclude each other.';
  const values = parseCursor(input[direction], order);
  if (!values) {
    faults[direction] = `"${direction}" is not a cursor of this search and sort; take it from the last answer.`;
    return undefined;
  }
  const slot = draft.values.length;
  for (const value of values) draft.hold(value);
  return { direction, slot, nulls: values.map((value) => value === null) };
}

const hasTotal = ({ total }: Input): boolean =>
  !isGiven(total) || !['0', 'false', 'no'].includes(toPlain(total).toLowerCase());

function toCursorKey(cursor: Cursor | undefined): string {
  return cursor === undefined ? '' : `${cursor.direction} ${cursor.nulls.map(Number).join('')}`;
}

/** The number of rows at which the count stops; 1 asks for the whole count. */
function parseMostTotal({ total }: Input, faults: Faults): number | undefined {
  if (!isGiven(total) || typeof total === 'boolean') return undefined;
  const text = toPlain(total).trim();
  if (!/^\d+$/.test(text) || /^0*1?$/.test(text)) return undefined;
  const most = readPageNumber(text, 2, MAX_OFFSET);
  if (most === undefined) faults.total = `"total" counts up to ${MAX_OFFSET} rows; 1 counts all of them, and 0 none.`;
  return most;
}

/** Other schemas that the search reads: those joined 1:1, and those in conditions. */
function listTouched({ source, conditions }: Draft): string[] {
  if (source.joins.length === 0 && conditions.length === 0) return [];
  const asked = conditions.flatMap(({ within }) => (within === undefined ? [] : [within.target]));
  return [...source.joins.map(({ schema }) => schema), ...asked];
}

/**
 * Parses a search from a stage or a query string.
 *
 * @returns the search, or its faults by parameter: an unknown column (with "did you mean"), a `limit` out of
 * bounds.
 */
export function parseSearch(
  source: Source,
  input: Input,
  options: ParseOptions,
): { readonly search: Search } | { readonly faults: Readonly<Record<string, string>> } {
  const faults: Faults = {};
  const { limits, dialect } = options;
  const draft = new Draft(source, faults, options);
  const active = parseFilters(input, draft);
  // A rule may use columns that are hidden from the caller.
  const rows = parsePredicate(options.rows, { source: source.whole ?? source, dialect, values: draft.values });
  const words = parseWords(input.q, draft);
  const window = parseWindow(input, limits, faults);
  const aggregate = parseAggregate(input, draft);
  const order = aggregate === undefined ? parseOrder(input, draft) : [];
  const cursor = aggregate === undefined ? parseCursors(input, order, draft) : undefined;
  const fields = aggregate === undefined ? withJoined(parseFields(input, source, faults), input, source) : undefined;
  const room = { limit: window.limit, expandRows: limits.expandRows };
  const expand = aggregate === undefined ? parseExpand(input.expand, source, room, faults) : [];
  const mostTotal = parseMostTotal(input, faults);
  if (Object.keys(faults).length > 0) return { faults };
  // One extra row tells whether there is a next page.
  const limitSlot = draft.hold(window.limit + 1);
  draft.hold(window.offset);
  draft.hold(window.limit + 1 + window.offset);
  const totalSlot = mostTotal === undefined ? undefined : draft.hold(mostTotal + 1);
  const shown = `${fields?.map(({ name }) => name).join(',') ?? '*'}+${expand.map(({ name }) => name).join(',')}`;
  const { see, toSource } = options;
  const sight = parseSight(listTouched(draft), see, { source: toSource, dialect, values: draft.values });
  const held = `${rows?.key ?? ''}${toSightKey(sight)}`;
  const countKey = `${source.key}|${active}|${words?.slots.length ?? ''}|${draft.key}|${aggregate?.key ?? ''}|${held}`;
  const search: Search = {
    source,
    key: `${countKey}|${toOrderKey(order)}|${toCursorKey(cursor)}|${shown}`,
    countKey,
    conditions: draft.conditions,
    rows,
    sight,
    active,
    words,
    order,
    cursor,
    fields,
    expand,
    aggregate,
    hasTotal: hasTotal(input),
    mostTotal,
    totalSlot,
    ...window,
    limitSlot,
    values: draft.values,
  };
  return { search: Object.freeze(search) };
}
