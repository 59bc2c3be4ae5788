import type { RowPredicate } from '../../../core/access.ts';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import { toPlain } from '../../../model/filter/plain.ts';
import { AGGREGATES } from '../../../model/shape.ts';
import type { CountQuery, Cursor, Search } from '../search-shape.ts';
import type { Source } from '../source/source.ts';
import type { Values } from '../values.ts';
import { parseAggregate } from './aggregate.ts';
import { Draft, type DraftOptions, type ErrorsByParameter, isGiven } from './draft.ts';
import { type ExpandOptions, parseContent, WHOLE } from './expand.ts';
import type { RowContent } from './expansion.ts';
import { parseFilters } from './filter.ts';
import { type Order, parseCursor, parseOrder, toOrderKey } from './order.ts';
import { parsePredicate, parseSight, type SeeRelated } from './predicate.ts';
import { bindAggregate, bindConditions, bindOrder } from './sight.ts';
import { parseWords } from './words.ts';

/** Limits on the size of a page. */
export interface Limits {
  /** Default of `limit`. */
  readonly pageRows: number;
  /** Maximum of `limit` in a request. */
  readonly maxPageRows: number;
  /** Maximum of `limit` that code or a command sets. */
  readonly codeRows: number;
  /** Maximum related rows that `expand` may return. */
  readonly expandRows: number;
}

export interface ParseOptions extends DraftOptions {
  readonly limits: Limits;
  /** The rows that may be found. Default all. */
  readonly rows?: RowPredicate | undefined;
  /** The related rows that may be seen. Default all. */
  readonly see?: SeeRelated | undefined;
  /** `first`: one row and no further one, which would tell of a next page. Default: a page. */
  readonly part?: 'count' | 'first' | undefined;
  /** Gives the source of a related schema, through a view or whole. */
  readonly toSource: ExpandOptions['toSource'];
  /** True if the rows before an offset are counted from a cursor. Default: a search has one of the two. */
  readonly isContinued?: boolean;
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

function parseWindow(input: Input, { pageRows, maxPageRows, codeRows }: Limits, draft: Draft): Window {
  const { errors } = draft;
  const name = isGiven(input.limit) ? 'limit' : 'range';
  const start = isGiven(input.offset) ? 'offset' : 'start';
  let limit: number | undefined = pageRows;
  let offset: number | undefined = 0;
  const most = draft.isFromClient(name) ? maxPageRows : codeRows;
  if (isGiven(input[name])) limit = readPageNumber(input[name], 1, most);
  // The older system's word for no limit.
  if (name === 'range' && toPlain(input.range) === '0' && most === codeRows) limit = codeRows;
  if (isGiven(input[start])) offset = readPageNumber(input[start], 0, MAX_OFFSET);
  if (limit === undefined) errors[name] = `"${name}" must be a whole number from 1 to ${most}.`;
  if (offset === undefined) errors[start] = `"${start}" must be a whole number from 0 to ${MAX_OFFSET}.`;
  return { limit: limit ?? pageRows, offset: offset ?? 0 };
}

function parseCursors(input: Input, order: readonly Order[], draft: Draft, isContinued: boolean): Cursor | undefined {
  const direction = isGiven(input.after) ? 'after' : 'before';
  if (!isGiven(input[direction])) return undefined;
  const { errors } = draft;
  if (direction === 'after' && isGiven(input.before)) errors.before = '"after" and "before" exclude each other.';
  const skip = ['offset', 'start'].find((name) => isGiven(input[name]));
  // Code may skip rows after a cursor.
  if (skip !== undefined && !isContinued && (draft.isFromClient(direction) || draft.isFromClient(skip))) {
    const message = `"${direction}" and "${skip}" exclude each other: a cursor says where the page begins. Leave "${skip}" out.`;
    errors[direction] = message;
    errors[skip] = message;
  }
  const { dialect } = draft;
  const values = parseCursor(input[direction], order, { dialect, isFromClient: draft.isFromClient(direction) });
  if (!values) {
    errors[direction] = `"${direction}" is not a cursor of this search and sort; take it from the last answer.`;
    return undefined;
  }
  const slot = draft.values.length;
  // A null needs another condition.
  for (const value of values) draft.values.add(value === null ? `${direction} null` : direction, value);
  return { direction, slot, nulls: values.map((value) => value === null) };
}

const hasTotal = ({ total }: Input): boolean =>
  !isGiven(total) || !['0', 'false', 'no', 'off'].includes(toPlain(total).trim().toLowerCase());

/** Yes and no in words, as flags are sent; any other text is no number to count to. */
const TOTAL_WORDS: ReadonlySet<string> = new Set(['true', 'yes', 'on', 'false', 'no', 'off']);

/** The number of rows at which the count stops; 1 asks for the whole count. */
function parseMostTotal({ total }: Input, errors: ErrorsByParameter): number | undefined {
  if (!isGiven(total) || typeof total === 'boolean') return undefined;
  const text = toPlain(total).trim().toLowerCase();
  if (TOTAL_WORDS.has(text) || /^0*[01]$/.test(text)) return undefined;
  const most = readPageNumber(text, 2, MAX_OFFSET);
  if (most === undefined) errors.total = `"total" counts up to ${MAX_OFFSET} rows; 1 counts all of them, and 0 none.`;
  return most;
}

/** What the count binds besides the values so far, which it shares with the rows. */
function createCountQuery(shared: Values, mostTotal: number | undefined): CountQuery {
  const values = shared.fork();
  return {
    values,
    mostSlot: mostTotal === undefined ? undefined : values.add('most', mostTotal + 1),
  };
}

/** Marks what the rows show, and how they are sorted. */
function markRows(values: Values, order: readonly Order[], shown: RowContent): void {
  values.mark(`sort ${toOrderKey(order)}`);
  values.mark(shown.fields?.map(({ name }) => name).join() ?? '*');
  // Rows that get branches are read with the keys of their parents.
  for (const { tree } of shown.branches) values.mark(`of ${tree.column}`);
  if (shown.expand.length > 0) values.mark(`with ${shown.expand.map(({ relation }) => relation.name).join()}`);
}

/** Other schemas that the search reads: those joined 1:1, those whose rows are counted, and those in conditions. */
function listTouched(draft: Draft): readonly string[] {
  const { source } = draft;
  const conditions = draft.listConditions();
  if (source.joins.length === 0 && conditions.length === 0) return source.counted;
  const targets = conditions.flatMap(({ within }) => (within === undefined ? [] : [within.target]));
  return [...source.joins.map(({ schema }) => schema), ...source.counted, ...targets];
}

/**
 * Parses a search from a stage or a query string.
 *
 * @returns the search, or its errors by parameter: an unknown column (with "did you mean"), a `limit` out of
 * bounds.
 */
export function parseSearch(
  source: Source,
  input: Input,
  options: ParseOptions,
): { readonly search: Search } | { readonly errors: Readonly<Record<string, string>> } {
  const errors: ErrorsByParameter = {};
  const { limits, dialect } = options;
  const draft = new Draft(source, errors, options);
  const { values } = draft;
  values.mark(source.key);
  const active = parseFilters(input, draft);
  values.mark(active);
  // A rule may use columns that are hidden from the caller.
  const rows = parsePredicate(options.rows, { source: source.whole ?? source, dialect, values });
  const words = parseWords(input.q, draft);
  const window = parseWindow(input, limits, draft);
  const aggregate = parseAggregate(input, draft);
  if (aggregate !== undefined) values.mark(`by ${aggregate.key}`);
  const { see, toSource } = options;
  const sight = parseSight(listTouched(draft), see, { source: toSource, dialect, values });
  const mostTotal = parseMostTotal(input, errors);
  // Here the ways part: the rows go on with their order, their cursor and their page.
  const counting = hasTotal(input) ? createCountQuery(values, mostTotal) : undefined;
  const order = aggregate === undefined ? bindOrder(parseOrder(input, draft), sight, dialect) : [];
  const cursor = aggregate === undefined ? parseCursors(input, order, draft, options.isContinued === true) : undefined;
  const room = { limit: window.limit, expandRows: limits.expandRows };
  const shown = aggregate === undefined ? parseContent(input, source, { toSource, see, room }, errors) : WHOLE;
  if (Object.keys(errors).length > 0) return { errors };
  markRows(values, order, shown);
  // One extra row shows whether there is a next page.
  const most = options.part === 'first' ? window.limit : window.limit + 1;
  const limitSlot = values.add('limit', most);
  values.add('offset', window.offset);
  values.add('reach', most + window.offset);
  const search: Search = {
    source,
    conditions: bindConditions(draft.conditions, sight, dialect),
    alternatives: draft.alternatives?.map((conditions) => bindConditions(conditions, sight, dialect)),
    rows,
    sight,
    active,
    words,
    order,
    cursor,
    ...shown,
    aggregate: aggregate && bindAggregate(aggregate, sight, dialect),
    counting,
    mostTotal,
    ...window,
    limitSlot,
    values,
  };
  return { search: Object.freeze(search) };
}

/** Parameters of a search, including the older system's names for the same. */
const SEARCH_PARAMETERS: readonly string[] = [
  ...['q', 'filter', 'sort', 'limit', 'offset', 'after', 'before', 'fields', 'expand', 'total'],
  ...['order', 'start', 'range', 'columns', 'like', 'in', 'span', 'null', 'notnull'],
];
/** Parameters that group rows. A request may use them only if its call allows it. */
export const AGGREGATE_PARAMETERS: readonly string[] = AGGREGATES;

const KNOWN: ReadonlySet<string> = new Set([...SEARCH_PARAMETERS, 'schema']);
/**
 * Maximum unknown names in an answer: a posted search may have thousands, and each is compared with every
 * parameter.
 */
const MOST_NAMED = 20;

/** Unknown parameters of a search, with the remedy. Names in `allowed` are accepted. */
export function findUnknownNames(
  input: Readonly<Record<string, unknown>>,
  allowed: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  const errors: ErrorsByParameter = {};
  for (const name of Object.keys(input)) {
    if (KNOWN.has(name) || allowed.has(name)) continue;
    const isAggregate = AGGREGATE_PARAMETERS.includes(name);
    errors[name] = isAggregate
      ? `"${name}" is not allowed on this call: its definition must list it under "aggregate".`
      : `"${name.slice(0, 64)}" is not a parameter of a search. ${toDidYouMean(name, SEARCH_PARAMETERS)}`;
    if (Object.keys(errors).length === MOST_NAMED) break;
  }
  return errors;
}
