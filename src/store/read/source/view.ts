import { memoize } from '../../../core/memoize.ts';
import type { SeeRelated } from '../parse/predicate.ts';
import type { Source, SourceColumn, SourceRelated, SourceWords } from './source.ts';

/** Names of the readable columns of one schema; undefined: all. Ids are always readable. */
type Readable = ReadonlySet<string> | undefined;

/** The columns that the caller may read, of the searched rows and of related rows. */
export interface View {
  readonly read?: Readable;
  /** The columns of `read` that every row shows; only these can be filtered or sorted by. Default: as `read`. */
  readonly sure?: Readable;
  readonly see?: SeeRelated | undefined;
}

const printColumns = memoize((read: ReadonlySet<string>) => [...read].sort().join());

/** Schemas with columns in a row of this schema or in its filters. */
const listNear = memoize(
  ({ joins, related }: Source): ReadonlySet<string> =>
    new Set([...joins.map(({ schema }) => schema), ...[...related.values()].map(({ target }) => target)]),
);

const toPart = ({ read, sure = read }: Pick<View, 'read' | 'sure'>): string =>
  `${read === undefined ? '' : printColumns(read)}${sure === read || sure === undefined ? '' : `/${printColumns(sure)}`}`;

/** Identifies a view among the others; empty for the unrestricted view. */
export function toViewText(source: Source, view: View): string {
  const own = toPart(view);
  let text = own === '' && view.read === undefined ? '' : `=${own}`;
  const { see } = view;
  if (see === undefined) return text;
  for (const schema of listNear(source)) {
    const other = see(schema);
    const part = other === undefined ? '' : toPart(other);
    if (other?.read !== undefined || part !== '') text += `;${schema}=${part}`;
  }
  return text;
}

const isReadable = ({ type, column }: SourceColumn, read: Readable): boolean =>
  type === 'integer' || read === undefined || read.has(column);

const pick = <T>(all: ReadonlyMap<string, T>, isIn: (item: T) => boolean): Map<string, T> =>
  new Map([...all].filter(([, item]) => isIn(item)));

/**
 * The source without the columns that a view hides: they cannot be shown, filtered, sorted, grouped or counted.
 *
 * The search index does not record which column a word is in. If the view hides a searchable column of the
 * schema, `q` is refused: an answer would reveal that column's words. If it hides one of a 1:1 relation, `q` does
 * not search that relation.
 *
 * @param key Distinguishes the view's statements from those of others.
 */
export function narrowSource(whole: Source, { read, sure = read, see }: View, key: string): Source {
  const readOf = (name: string): Readable => see?.(name)?.read;
  const sureOf = (name: string): Readable => {
    const grant = see?.(name);
    return grant?.sure ?? grant?.read;
  };
  const schemas = new Map(whole.joins.map(({ alias, schema: name }) => [alias, name] as const));
  const isShown = (column: SourceColumn): boolean =>
    isReadable(column, column.alias === 't' ? read : readOf(schemas.get(column.alias) ?? ''));
  const isAskable = (column: SourceColumn): boolean =>
    isReadable(column, column.alias === 't' ? sure : sureOf(schemas.get(column.alias) ?? ''));
  const narrow = (related: SourceRelated): SourceRelated => {
    const own = sureOf(related.target);
    return own === undefined
      ? related
      : { ...related, columns: pick(related.columns, (item) => isReadable(item, own)) };
  };
  const columns = pick(whole.columns, isShown);
  const isFound = ({ schema: name, foreign, columns: found }: SourceWords): boolean => {
    const own = foreign === undefined ? sure : sureOf(name);
    return own === undefined || found.every((column) => own.has(column));
  };
  return {
    ...whole,
    key,
    whole,
    columns,
    sure: pick(columns, isAskable),
    filterable: pick(whole.filterable, isAskable),
    flat: pick(whole.flat, ({ column, within }) => isReadable(column, sureOf(within.target))),
    sortable: pick(whole.sortable, isAskable),
    searchable: whole.searchable.filter(isAskable),
    words: whole.words.filter(isFound),
    related: new Map([...whole.related].map(([name, related]) => [name, narrow(related)] as const)),
    json: whole.json.filter((name) => columns.has(name)),
    hidesWords: whole.words.some((words) => words.foreign === undefined && !isFound(words)),
  };
}
