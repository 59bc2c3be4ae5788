import { findOwn } from '../../../core/record.ts';
import { listNames } from '../../../model/filter/operand.ts';
import { isTreeOperator, OPERATOR_NAMES } from '../../../model/filter/operator.ts';
import { toPlain } from '../../../model/filter/plain.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import type { Condition } from '../../../page/filter/filter-row.ts';
import { listSorts } from '../../../store/read/parse/order.ts';

export interface Sort {
  readonly column: string;
  readonly isDescending: boolean;
}

/** Whether a list shows rows that were removed. */
export type RemovedWanted = 'no' | 'only' | 'any';

/** What a list shows. Its URL is the whole state, so that it can be kept, sent and gone back to. */
export interface ListQuery {
  readonly q: string;
  readonly conditions: readonly Condition[];
  readonly removed: RemovedWanted;
  readonly sort: readonly Sort[];
  /** Names of the shown columns; empty: the default ones. */
  readonly columns: readonly string[];
  /** Rows per page as typed; empty: the default. */
  readonly limit: string;
  readonly offset: string;
  readonly after: string;
  readonly before: string;
  /** Number of the first row, for people: a cursor does not tell it. 0: unknown. */
  readonly from: number;
  /** A column to add a condition for. */
  readonly add: string;
}

type Input = Readonly<Record<string, unknown>>;

const REMOVED: Readonly<Record<string, RemovedWanted>> = {
  any: 'any',
  '-1': 'any',
  '0': 'only',
  false: 'only',
};
/** Maximum nested keys of a filter's name. */
const MOST_NESTED = 8;

const toText = (raw: unknown): string => (Array.isArray(raw) ? raw.map(toPlain).join(',') : toPlain(raw));

function listConditions(name: string, wanted: unknown, depth = 0): Condition[] {
  if (Array.isArray(wanted)) return [{ name, operator: 'in', value: toText(wanted) }];
  if (!isRecord(wanted)) return [{ name, operator: 'eq', value: toPlain(wanted) }];
  return Object.entries(wanted).flatMap(([key, value]) => {
    const isOperator = OPERATOR_NAMES.includes(key) || isTreeOperator(key) || depth >= MOST_NESTED;
    return isOperator
      ? [{ name, operator: key, value: toText(value) }]
      : listConditions(`${name}.${key}`, value, depth + 1);
  });
}

/** Reads the state of a list from its query string. Nothing is checked here: the search does that. */
export function readListQuery(input: Input, active: string | undefined): ListQuery {
  const filter = isRecord(input.filter) ? input.filter : {};
  const asked = active === undefined ? undefined : filter[active];
  const plain = isRecord(asked) ? asked.eq : asked;
  const from = Number(toPlain(input.from));
  return {
    q: toPlain(input.q),
    conditions: Object.entries(filter).flatMap(([name, wanted]) =>
      name === active ? [] : listConditions(name, wanted),
    ),
    removed: (active === undefined ? undefined : findOwn(REMOVED, toPlain(plain))) ?? 'no',
    sort: listSorts(input.sort).map(([column, way]) => ({
      column,
      isDescending: toPlain(way).toUpperCase() === 'DESC',
    })),
    columns: listNames(input.fields).filter(Boolean),
    limit: toPlain(input.limit),
    offset: toPlain(input.offset),
    after: toPlain(input.after),
    before: toPlain(input.before),
    from: Number.isSafeInteger(from) && from > 0 ? from : 0,
    add: toPlain(input.add),
  };
}

const toSortText = ({ column, isDescending }: Sort): string => `${isDescending ? '-' : ''}${column}`;

/** The pairs of a list's URL without its page. */
function listPairs(query: ListQuery, active: string | undefined): [string, string][] {
  const pairs: [string, string][] = [];
  if (query.q !== '') pairs.push(['q', query.q]);
  for (const { name, operator, value } of query.conditions) {
    pairs.push([operator === 'eq' ? `filter[${name}]` : `filter[${name}][${operator}]`, value]);
  }
  if (query.removed !== 'no' && active !== undefined) {
    pairs.push([`filter[${active}]`, query.removed === 'any' ? 'any' : '0']);
  }
  if (query.sort.length > 0) pairs.push(['sort', query.sort.map(toSortText).join(',')]);
  if (query.columns.length > 0) pairs.push(['fields', query.columns.join(',')]);
  if (query.limit !== '') pairs.push(['limit', query.limit]);
  return pairs;
}

/** Brackets and commas are legal enough in a query string, and make it readable. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/%(?:5B|5D|2C|3A|2F)/g, (code) => decodeURIComponent(code));

const printPairs = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');

/** Where a page of a list begins. Without any: the first page. */
export type PageStart = Partial<Pick<ListQuery, 'after' | 'before' | 'offset' | 'from' | 'add'>>;

/** Prints the state of a list as a query string, without `?`. */
export function printListQuery(query: ListQuery, active: string | undefined, start: PageStart = {}): string {
  const page = (['after', 'before', 'offset', 'from', 'add'] as const)
    .filter((name) => start[name] !== undefined && start[name] !== '' && start[name] !== 0)
    .map((name) => [name, String(start[name])] as const);
  return printPairs([...listPairs(query, active), ...page]);
}

/** The stage of a search for a list. The filter is what the request brought; removed rows are the admin's to ask for. */
export function createSearchStage(query: ListQuery): Record<string, unknown> {
  const filter: Record<string, Record<string, unknown>> = {};
  for (const { name, operator, value } of query.conditions) {
    const known = filter[name] ?? {};
    filter[name] = { ...known, [operator]: Object.hasOwn(known, operator) ? [known[operator], value] : value };
  }
  return {
    ...(query.q === '' ? {} : { q: query.q }),
    filter,
    ...(query.sort.length === 0 ? {} : { sort: query.sort.map(toSortText).join(',') }),
    ...Object.fromEntries(
      (['limit', 'offset', 'after', 'before'] as const).flatMap((name) =>
        query[name] === '' ? [] : [[name, query[name]]],
      ),
    ),
  };
}
