import { toDidYouMean } from '../core/suggest.ts';
import type { RelationModel } from '../model/model.ts';
import { type Order, parseCursor, toOrderKey } from './cursor.ts';
import { type ActiveWanted, Draft, describeColumn, type Faults } from './draft.ts';
import { parseFilters } from './filter.ts';
import { toRawList } from './operand.ts';
import { type Condition, escapeLike } from './operator.ts';
import type { Source, SourceColumn } from './source.ts';

/** How many rows a page has. */
export interface Limits {
  /** Where `limit` is not given. */
  readonly pageRows: number;
  readonly maxPageRows: number;
}

export interface ParseOptions {
  readonly limits: Limits;
  /** Rows of this profile only. */
  readonly profileId?: number | undefined;
}

/** A search, parsed and frozen: what is asked (its shape, in `key`) apart from the values that are bound. */
export interface Search {
  readonly source: Source;
  /** Searches of one key have one statement. */
  readonly key: string;
  /** The part of the key that the count depends on. */
  readonly countKey: string;
  readonly conditions: readonly Condition[];
  /** Whether removed rows are left out, the only ones, or among the others. */
  readonly active: ActiveWanted;
  /** Index of the words' value; undefined without `q`. */
  readonly words: number | undefined;
  readonly order: readonly Order[];
  readonly cursor: { readonly direction: 'after' | 'before'; readonly slot: number } | undefined;
  /** Columns asked for; undefined for all. */
  readonly fields: readonly SourceColumn[] | undefined;
  readonly expand: readonly RelationModel[];
  readonly hasTotal: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly limitSlot: number;
  readonly values: readonly unknown[];
}

/** Parameters of a search; beside them the older system's names, which mean the same. */
export const SEARCH_PARAMETERS: readonly string[] = [
  ...['q', 'filter', 'sort', 'limit', 'offset', 'after', 'before', 'fields', 'expand', 'total'],
  ...['order', 'start', 'range', 'columns', 'like', 'in', 'span', 'null', 'notnull'],
];
const KNOWN: ReadonlySet<string> = new Set([...SEARCH_PARAMETERS, 'schema']);

const MAX_OFFSET = 10_000_000;
const MAX_ORDER = 5;
const MAX_WORDS = 20;
const WORDS_CHARACTERS = 500;

type Input = Readonly<Record<string, unknown>>;
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function toWhole(raw: unknown, least: number, most: number): number | undefined {
  const text = typeof raw === 'number' || typeof raw === 'string' ? String(raw).trim() : '';
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}

function parseWindow(
  input: Input,
  { pageRows, maxPageRows }: Limits,
  faults: Faults,
): { limit: number; offset: number } {
  const name = isGiven(input.limit) ? 'limit' : 'range';
  const start = isGiven(input.offset) ? 'offset' : 'start';
  let limit: number | undefined = pageRows;
  let offset: number | undefined = 0;
  if (isGiven(input[name])) limit = toWhole(input[name], 1, maxPageRows);
  if (isGiven(input[start])) offset = toWhole(input[start], 0, MAX_OFFSET);
  if (limit === undefined) faults[name] = `"${name}" must be a whole number from 1 to ${maxPageRows}.`;
  if (offset === undefined) faults[start] = `"${start}" must be a whole number from 0 to ${MAX_OFFSET}.`;
  return { limit: limit ?? pageRows, offset: offset ?? 0 };
}

/** `-column,column`, a list of those, or an object of column and `ASC` or `DESC`. */
function listSorts(raw: unknown): [string, unknown][] {
  if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return Object.entries(raw);
  return toRawList(raw)
    .filter((item) => item !== '')
    .map((item) => {
      const text = String(item).trim();
      return text.startsWith('-') ? [text.slice(1), 'DESC'] : [text.replace(/^\+/, ''), 'ASC'];
    });
}

function parseOrder(input: Input, source: Source, faults: Faults): Order[] {
  const name = isGiven(input.sort) ? 'sort' : 'order';
  const order: Order[] = [];
  const sorts = isGiven(input[name]) ? listSorts(input[name]) : [];
  if (sorts.length > MAX_ORDER) faults[name] = `"${name}" takes at most ${MAX_ORDER} columns.`;
  for (const [wanted, direction] of sorts.slice(0, MAX_ORDER)) {
    const column = source.sortable.get(wanted);
    const word = String(direction).toUpperCase();
    if (!column) faults[`${name}[${wanted}]`] = describeColumn(wanted, source, source.sortable, 'sortable');
    else if (word !== 'ASC' && word !== 'DESC') faults[`${name}[${wanted}]`] = `"${wanted}" is sorted ASC or DESC.`;
    else if (!order.some((other) => other.column === column)) order.push({ column, isDescending: word === 'DESC' });
  }
  // The key last, in the direction of the column before it, so that an index on that column serves both.
  if (!order.some(({ column }) => column.name === source.primary.name)) {
    order.push({ column: source.primary, isDescending: order.at(-1)?.isDescending ?? false });
  }
  return order;
}

function parseFields(input: Input, source: Source, faults: Faults): SourceColumn[] | undefined {
  const name = isGiven(input.fields) ? 'fields' : 'columns';
  if (!isGiven(input[name])) return undefined;
  const fields: SourceColumn[] = [source.primary];
  for (const item of toRawList(input[name])) {
    const column = source.columns.get(String(item));
    if (!column) {
      faults[name] = describeColumn(String(item), source, source.columns, 'shown');
      break;
    }
    if (!fields.some((other) => other.name === column.name)) fields.push(column);
  }
  return fields;
}

function parseExpand(input: Input, source: Source, faults: Faults): RelationModel[] {
  const relations = new Set<RelationModel>();
  for (const item of isGiven(input.expand) ? toRawList(input.expand) : []) {
    const name = String(item);
    const relation = source.relations.get(name);
    if (relation) relations.add(relation);
    else if (!source.schema.relations.some((other) => other.name === name)) {
      const remedy = toDidYouMean(name, source.relations.keys());
      faults.expand = `"${name.slice(0, 64)}" is not a relation of ${source.schema.name}. ${remedy}`;
      break;
    }
  }
  return [...relations];
}

function parseWords(input: Input, faults: Faults): string | undefined {
  if (!isGiven(input.q)) return undefined;
  const text = Array.isArray(input.q) ? input.q.join(' ') : input.q;
  if (typeof text !== 'string' && typeof text !== 'number') faults.q = '"q" takes words.';
  const words = String(text).split(/\s+/).filter(Boolean);
  if (String(text).length > WORDS_CHARACTERS || words.length > MAX_WORDS) {
    faults.q = `"q" takes at most ${MAX_WORDS} words and ${WORDS_CHARACTERS} characters.`;
  }
  if (words.length === 0 || faults.q !== undefined) return undefined;
  return JSON.stringify(words.map((word) => `%${escapeLike(word)}%`));
}

function parseCursors(input: Input, order: readonly Order[], faults: Faults): CursorInput | undefined {
  const direction = isGiven(input.after) ? 'after' : 'before';
  if (!isGiven(input[direction])) return undefined;
  if (direction === 'after' && isGiven(input.before)) faults.before = '"after" and "before" exclude each other.';
  const values = parseCursor(input[direction], order);
  if (!values)
    faults[direction] = `"${direction}" is not a cursor of this search and sort; take it from the last answer.`;
  return values && { direction, values };
}

interface CursorInput {
  readonly direction: 'after' | 'before';
  readonly values: readonly unknown[];
}

/** Unknown names that an answer lists: a posted search may have thousands, each compared with every parameter. */
const MOST_NAMED = 20;

/** Names in a search's input that are no parameters of one, with the remedy; those in `allowed` may stand beside them. */
export function findUnknownNames(input: Input, allowed: ReadonlySet<string>): Readonly<Record<string, string>> {
  const faults: Faults = {};
  for (const name of Object.keys(input)) {
    if (KNOWN.has(name) || allowed.has(name)) continue;
    faults[name] = `"${name.slice(0, 64)}" is not a parameter of a search. ${toDidYouMean(name, SEARCH_PARAMETERS)}`;
    if (Object.keys(faults).length === MOST_NAMED) break;
  }
  return faults;
}

/**
 * Parses a search from a stage or a query string.
 *
 * @returns the search, or what is wrong by parameter: an unknown column (with "did you mean"), a `limit` out of bounds.
 */
export function parseSearch(
  source: Source,
  input: Input,
  options: ParseOptions,
): { readonly search: Search } | { readonly faults: Readonly<Record<string, string>> } {
  const faults: Faults = {};
  const draft = new Draft(source, faults);
  const active = parseFilters(input, draft);
  if (options.profileId !== undefined && source.owner) draft.add(source.owner, 'eq', options.profileId);
  const conditions = draft.conditions;
  const text = parseWords(input, faults);
  const words = text === undefined ? undefined : draft.hold(text);
  const window = parseWindow(input, options.limits, faults);
  const order = parseOrder(input, source, faults);
  const cursor = parseCursors(input, order, faults);
  const cursorSlot = draft.values.length;
  for (const value of cursor?.values ?? []) draft.hold(value);
  const fields = parseFields(input, source, faults);
  const expand = parseExpand(input, source, faults);
  if (Object.keys(faults).length > 0) return { faults };
  // One row more than asked for tells whether there is a next page.
  const limitSlot = draft.hold(window.limit + 1);
  draft.hold(window.offset);
  const shown = `${fields?.map(({ name }) => name).join(',') ?? '*'}+${expand.map(({ name }) => name).join(',')}`;
  const countKey = `${source.schema.name}|${active}|${words !== undefined}|${draft.key}`;
  const search: Search = {
    source,
    key: `${countKey}|${toOrderKey(order)}|${cursor?.direction ?? ''}|${shown}`,
    countKey,
    conditions,
    active,
    words,
    order,
    cursor: cursor && { direction: cursor.direction, slot: cursorSlot },
    fields,
    expand,
    hasTotal: !isGiven(input.total) || !['0', 'false', 'no'].includes(String(input.total)),
    ...window,
    limitSlot,
    values: draft.values,
  };
  return { search: Object.freeze(search) };
}
