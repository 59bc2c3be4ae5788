import type { RowPredicate, WriteRule } from '../../../core/access.ts';
import { BoundedMap } from '../../../core/bounded-map.ts';
import { TreadleError } from '../../../core/errors.ts';
import { memoize } from '../../../core/memoize.ts';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import { listRead } from '../../../model/expression/reads.ts';
import type { Model } from '../../../model/model.ts';
import type { SeeRelated } from '../parse/predicate.ts';
import { compileSource, type RelatedKeys, type Source, type SourceColumn, type SourceWords } from './source.ts';

/** Names of the readable columns of one schema; undefined: all. Ids are always readable. */
type Readable = ReadonlySet<string> | undefined;

/** The columns that the caller may read, of the searched rows and of related rows. */
export interface View {
  readonly read?: Readable;
  /** The columns of `read` that every row shows; only these can be filtered or sorted by. Default: as `read`. */
  readonly sure?: Readable;
  readonly see?: SeeRelated | undefined;
}

/** What the caller may reach: a grant's rows and columns, and what relations show. Default: all. */
export interface Reach extends View {
  readonly rows?: RowPredicate | undefined;
  /** Names of the columns that a request may write. */
  readonly write?: ReadonlySet<string> | undefined;
  /** The rules that add up to it, where they differ in what may be written to which rows. */
  readonly rules?: readonly WriteRule[] | undefined;
  /** What a row must match after a write. Default as `rows`. */
  readonly after?: RowPredicate | undefined;
  /** A rule compares with the time: a total is not cached. */
  readonly isTimed?: boolean | undefined;
}

const printColumns = memoize((read: ReadonlySet<string>) => [...read].sort().join());

/** The columns of a row of this schema, and those that its filters take of related rows. */
const listColumns = ({ columns, related }: Source): SourceColumn[] =>
  [columns, ...[...related.values()].map((within) => within.columns)].flatMap((own) => [...own.values()]);

/** Schemas with columns in a row of this schema or in its filters, and those that such columns are computed of. */
const listNear = memoize((source: Source): ReadonlySet<string> => {
  const { joins, related } = source;
  const counted = listColumns(source).flatMap((column) => (column.related ?? []).map(({ schema }) => schema));
  return new Set([
    ...counted,
    ...joins.map(({ schema }) => schema),
    ...[...related.values()].map(({ target }) => target),
  ]);
});

/** The schemas of whose rows its columns store sums, and which therefore count if they are closed altogether. */
const listClosable = memoize((source: Source): readonly string[] => {
  const sums = listColumns(source).flatMap(({ computed, related: reads = [] }) =>
    computed === undefined ? reads : [],
  );
  return [...new Set(sums.filter((rows) => rows.columns.length > 0).map(({ schema }) => schema))];
});

const toPart = ({ read, sure = read }: Pick<View, 'read' | 'sure'>): string =>
  `${read === undefined ? '' : printColumns(read)}${sure === read || sure === undefined ? '' : `/${printColumns(sure)}`}`;

/** Identifies a view among the others; empty for the unrestricted view. */
function toViewText(source: Source, view: View): string {
  const own = toPart(view);
  let text = own === '' && view.read === undefined ? '' : `=${own}`;
  const { see } = view;
  if (see === undefined) return text;
  const closed = listClosable(source).filter((schema) => see(schema) === undefined);
  if (closed.length > 0) text += `!${closed.join()}`;
  for (const schema of listNear(source)) {
    const other = see(schema);
    const part = other === undefined ? '' : toPart(other);
    if (other?.read !== undefined || part !== '') text += `;${schema}=${part}`;
  }
  return text;
}

const isReadable = ({ type, column }: SourceColumn, read: Readable): boolean =>
  type === 'integer' || read === undefined || read.has(column);

/** Whose columns the caller reads: undefined of a schema if none. */
type ReadsOf = (schema: string) => { readonly some: Readable; readonly every: Readable } | undefined;

/** True if the caller may read what a column sums of related rows: of each row that counts, and a stored value counts all rows. */
const isSummable = ({ related, computed }: SourceColumn, readsOf: ReadsOf, isSure = false): boolean =>
  related?.every((rows) => {
    const reads = readsOf(rows.schema);
    // Of rows that are all hidden nothing is summed, unless the sum is stored.
    if (reads === undefined) return computed !== undefined || rows.columns.length === 0;
    const own = isSure || computed === undefined ? reads.every : reads.some;
    return own === undefined || listRead(rows).every((name) => own.has(name));
  }) ?? true;

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
function narrowSource(whole: Source, { read, sure = read, see }: View, key: string): Source {
  const readOf = (name: string): Readable => see?.(name)?.read;
  const sureOf = (name: string): Readable => {
    const grant = see?.(name);
    return grant?.sure ?? grant?.read;
  };
  const readsOf: ReadsOf = (name) => {
    if (see === undefined) return { some: undefined, every: undefined };
    return see(name) && { some: readOf(name), every: sureOf(name) };
  };
  const schemas = new Map(whole.joins.map(({ alias, schema: name }) => [alias, name] as const));
  const isShown = (column: SourceColumn): boolean =>
    isReadable(column, column.alias === 't' ? read : readOf(schemas.get(column.alias) ?? '')) &&
    isSummable(column, readsOf);
  const isAskable = (column: SourceColumn): boolean =>
    isReadable(column, column.alias === 't' ? sure : sureOf(schemas.get(column.alias) ?? '')) &&
    isSummable(column, readsOf, true);
  const narrow = (related: RelatedKeys): RelatedKeys => {
    const own = sureOf(related.target);
    return {
      ...related,
      columns: pick(related.columns, (item) => isReadable(item, own) && isSummable(item, readsOf, true)),
    };
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
    flat: pick(
      whole.flat,
      ({ column, within }) => isReadable(column, sureOf(within.target)) && isSummable(column, readsOf, true),
    ),
    sortable: pick(whole.sortable, isAskable),
    searchable: whole.searchable.filter(isAskable),
    words: whole.words.filter(isFound),
    related: new Map([...whole.related].map(([name, related]) => [name, narrow(related)] as const)),
    json: whole.json.filter((name) => columns.has(name)),
    hidesWords: whole.words.some((words) => words.foreign === undefined && !isFound(words)),
  };
}

/** Maximum cached sources for views with hidden columns. */
const CACHED_VIEWS = 200;

/** What searches can use of a model's schemas, through each view. */
export class Sources {
  readonly #model: Model;
  readonly #whole = new Map<string, Source>();
  readonly #views = new BoundedMap<Source>(CACHED_VIEWS);
  #viewed = 0;

  constructor(model: Model) {
    this.#model = model;
  }

  /** @throws SEARCH_SCHEMA_UNKNOWN (400). */
  find(name: string, view?: View): Source {
    const whole = this.#whole.get(name) ?? this.#compile(name);
    if (view === undefined || (view.read === undefined && view.sure === undefined && view.see === undefined))
      return whole;
    const text = toViewText(whole, view);
    if (text === '') return whole;
    return this.#views.getOrCreate(`${name}${text}`, () => {
      this.#viewed += 1;
      return narrowSource(whole, view, `${name}#${this.#viewed}`);
    });
  }

  #compile(name: string): Source {
    const schema = this.#model.schemas.get(name);
    if (!schema) {
      const remedy = toDidYouMean(name, this.#model.schemas.keys());
      const message = `There is no schema "${name.slice(0, 64)}". ${remedy}`;
      throw new TreadleError('SEARCH_SCHEMA_UNKNOWN', message, { status: 400 });
    }
    const source = compileSource(this.#model, schema);
    this.#whole.set(name, source);
    return source;
  }
}
