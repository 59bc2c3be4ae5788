import type { RowPredicate, WriteRule } from '../../../core/access.ts';
import { BoundedMap } from '../../../core/bounded-map.ts';
import { TreadleError } from '../../../core/errors.ts';
import { memoize } from '../../../core/memoize.ts';
import { toDidYouMean } from '../../../core/text/suggest.ts';
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

/** Schemas with columns in a row of this schema or in its filters. */
const listNear = memoize(
  ({ joins, related, counted }: Source): ReadonlySet<string> =>
    new Set([...counted, ...joins.map(({ schema }) => schema), ...[...related.values()].map(({ target }) => target)]),
);

const toPart = ({ read, sure = read }: Pick<View, 'read' | 'sure'>): string =>
  `${read === undefined ? '' : printColumns(read)}${sure === read || sure === undefined ? '' : `/${printColumns(sure)}`}`;

/** Identifies a view among the others; empty for the unrestricted view. */
function toViewText(source: Source, view: View): string {
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

/** True if the caller may read what a computed column sums of related rows. */
const isSummable = ({ related }: SourceColumn, readOf: (schema: string) => Readable): boolean =>
  related?.every(({ schema, columns }) => {
    const own = readOf(schema);
    return own === undefined || columns.every((name) => own.has(name));
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
  const schemas = new Map(whole.joins.map(({ alias, schema: name }) => [alias, name] as const));
  const isShown = (column: SourceColumn): boolean =>
    isReadable(column, column.alias === 't' ? read : readOf(schemas.get(column.alias) ?? '')) &&
    isSummable(column, readOf);
  const isAskable = (column: SourceColumn): boolean =>
    isReadable(column, column.alias === 't' ? sure : sureOf(schemas.get(column.alias) ?? '')) &&
    isSummable(column, sureOf);
  const narrow = (related: RelatedKeys): RelatedKeys => {
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
