import { fieldKinds } from '../../model/field/field-kind.ts';
import type { IndexColumn, IndexModel, SchemaModel } from '../../model/model.ts';
import type { NotedFilter, SearchNote } from '../read/search-note.ts';

/** More columns make each write slower and help no search that was seen. */
const MOST_COLUMNS = 5;
const RANGES: ReadonlySet<string> = new Set(['lt', 'lte', 'gt', 'gte', 'during']);

/** Whether an index on several columns can hold the column. */
function canIndex({ columns, row, active }: SchemaModel, name: string): boolean {
  if (name === active) return false;
  if (row.keys.some(({ column }) => column === name)) return true;
  const column = columns.find((each) => each.name === name);
  if (column === undefined) return false;
  const { isJson, isLong, isSecret, sql } = fieldKinds[column.field.type];
  return sql !== undefined && !isJson && !isLong && !isSecret;
}

/** Few values: such a column comes after those that leave fewer rows. */
export function isFlag({ columns }: SchemaModel, name: string): boolean {
  const type = columns.find((column) => column.name === name)?.field.type;
  return type === 'checkbox' || type === 'switch';
}

/** The filters by a column's value; by a list of values only if nothing is sorted, because it breaks the order. */
function listEqual(schema: SchemaModel, { filters, sort }: SearchNote): string[] {
  const isEqual = ({ operator }: NotedFilter): boolean => operator === 'eq' || (operator === 'in' && sort.length === 0);
  const names = filters.filter((filter) => filter.isOwn && isEqual(filter)).map(({ name }) => name);
  const rank = (name: string): number => (isFlag(schema, name) ? 1 : 0);
  return [...new Set(names)]
    .filter((name) => canIndex(schema, name))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

const ascending = (name: string): IndexColumn => ({ name, isDescending: false });

/** The sort as columns of an index; empty if an index cannot sort so. */
function listSorted(schema: SchemaModel, { sort }: SearchNote, equal: readonly string[]): IndexColumn[] {
  const left = sort.filter(({ name }) => !equal.includes(name));
  return left.every(({ name, isOwn }) => isOwn && canIndex(schema, name))
    ? left.map(({ name, isDescending }) => ({ name, isDescending }))
    : [];
}

function listRanged(schema: SchemaModel, { filters }: SearchNote, equal: readonly string[]): IndexColumn[] {
  const found = filters.find(
    ({ name, operator, isOwn }) => isOwn && RANGES.has(operator) && !equal.includes(name) && canIndex(schema, name),
  );
  return found === undefined ? [] : [ascending(found.name)];
}

/** Whether the column has an index of its own. */
const hasOwnIndex = ({ columns, row }: SchemaModel, name: string): boolean =>
  row.keys.some(({ column }) => column === name) ||
  columns.some((column) => column.name === name && (column.isFilterable || column.isSortable || column.isUnique));

/**
 * The columns of the index that a search needs: those with one value first, then the sort, or a range if nothing is sorted.
 * Undefined if no index helps, or each column's own index is enough. An index begins with `active` by itself.
 */
export function findCandidate(schema: SchemaModel, note: SearchNote): readonly IndexColumn[] | undefined {
  const { kind, hasWords, isActive } = note;
  if ((kind !== 'rows' && kind !== 'total') || hasWords) return undefined;
  if (schema.active !== undefined && !isActive) return undefined;
  const equal = listEqual(schema, note);
  const sorted = listSorted(schema, note, equal);
  const rest = sorted.length > 0 ? sorted : listRanged(schema, note, equal);
  const columns = [...equal.map(ascending), ...rest].slice(0, MOST_COLUMNS);
  const [only, ...more] = columns;
  if (only === undefined || (more.length === 0 && hasOwnIndex(schema, only.name))) return undefined;
  return columns;
}

/** Whether an index has the rows of a search in its order, or its range, after the columns of one value each. */
function serves(
  { columns, where }: Pick<IndexModel, 'columns' | 'where'>,
  equal: readonly string[],
  rest: readonly IndexColumn[],
): boolean {
  const tested = where.map(({ column }) => column);
  if (!tested.every((name) => equal.includes(name))) return false;
  const own = columns.filter(({ name }) => !tested.includes(name));
  const start = own.findIndex(({ name }) => !equal.includes(name));
  const found = start < 0 ? [] : own.slice(start, start + rest.length);
  const first = start < 0 ? own : own.slice(0, start);
  const isWhole = equal.every((name) => tested.includes(name) || first.some((each) => each.name === name));
  const isSame = (isTurned: boolean): boolean =>
    rest.every(({ name, isDescending }, at) => {
      const other = found[at];
      return other?.name === name && (other.isDescending === isDescending) !== isTurned;
    });
  return isWhole && (isSame(false) || isSame(true));
}

/** Whether an index of the schema's file, or one of its rules of unique values, serves the search already. */
export function isServed(schema: SchemaModel, note: SearchNote, candidate: readonly IndexColumn[]): boolean {
  const equal = listEqual(schema, note).slice(0, candidate.length);
  const rest = candidate.slice(equal.length);
  const unique = schema.unique.map(({ columns }) => ({ columns: columns.map(ascending), where: [] }));
  return [...schema.indexes, ...unique].some((index) => serves(index, equal, rest));
}
