import type { Condition } from './parse/json-path.ts';
import type { RowTest } from './parse/predicate.ts';
import type { NotedFilter, NotedSort, SearchNote } from './search-note.ts';
import type { Search } from './search-shape.ts';
import type { RelatedInput } from './source/related.ts';
import { isIndexable, type SourceColumn } from './source/source.ts';

const isOwn = (column: SourceColumn): boolean => isIndexable(column) && column.type !== 'json';

function noteCondition({ column, operator, within }: Condition, isRule: boolean): NotedFilter {
  const inner = column?.name ?? '';
  const name = within === undefined ? inner : [within.name, inner].filter(Boolean).join('.');
  return { name, operator, isOwn: within === undefined && column !== undefined && isOwn(column), isRule };
}

/** The conditions of a rule that every row must meet; alternatives help no index. */
const noteRule = (rows: RowTest | undefined): NotedFilter[] =>
  (rows?.all ?? []).map((condition) => noteCondition(condition, true));

function noteSort({ order, source }: Search): NotedSort[] {
  const sort = order.map(({ column, isDescending }) => ({ name: column.name, isDescending, isOwn: isOwn(column) }));
  const last = sort.at(-1);
  const before = sort.at(-2)?.isDescending ?? false;
  if (last?.name === source.primary.name && last.isDescending === before) sort.pop();
  return sort;
}

/** What the statements of a search ask. */
export function noteSearch(search: Search, kind: 'rows' | 'total' | 'groups'): SearchNote {
  const { source, conditions, alternatives = [], rows, words, active } = search;
  // No index on several columns serves alternatives.
  const others = alternatives.flat().map((condition) => ({ ...noteCondition(condition, false), isOwn: false }));
  return {
    schema: source.schema.name,
    kind,
    filters: [...conditions.map((condition) => noteCondition(condition, false)), ...others, ...noteRule(rows)],
    sort: kind === 'rows' ? noteSort(search) : [],
    hasWords: words !== undefined,
    isActive: active === 'only',
  };
}

interface NotedRow {
  readonly schema: string;
  /** The column that finds it. */
  readonly name: string;
  readonly rows: RowTest | undefined;
}

/** What a statement asks that finds one row by a column. */
export const noteDetail = ({ schema, name, rows }: NotedRow): SearchNote => ({
  schema,
  kind: 'detail',
  filters: [{ name, operator: 'eq', isOwn: true, isRule: false }, ...noteRule(rows)],
  sort: [],
  hasWords: false,
  isActive: true,
});

/** What a statement asks that reads the rows of a relation. */
export const noteRelated = ({ relation, target, rows }: RelatedInput): SearchNote => ({
  schema: target.schema.name,
  kind: 'related',
  filters: [{ name: relation.source, operator: 'eq', isOwn: false, isRule: false }, ...noteRule(rows)],
  sort: [],
  hasWords: false,
  isActive: true,
});
