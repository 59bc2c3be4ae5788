import { sql } from 'kysely';
import { hidesRows, type RowPredicate, type WriteRule } from '../../core/access.ts';
import { BoundedMap } from '../../core/bounded-map.ts';
import { toPromise } from '../../core/continue-with.ts';
import { TreadleError } from '../../core/errors.ts';
import { setJsonList } from '../../core/json-list.ts';
import { memoize } from '../../core/memoize.ts';
import { toDidYouMean } from '../../core/suggest.ts';
import type { Database, Dialect, Row } from '../../database/database.ts';
import { KEYED } from '../../database/read-cost.ts';
import { listReadTables, noteRead } from '../../database/table-version.ts';
import type { Model } from '../../model/model.ts';
import { SearchError, type Searched, toNothing, toTotal } from './answer.ts';
import { DetailReader } from './detail-batch.ts';
import { toGroupRows } from './parse/aggregate.ts';
import { toRef } from './parse/condition.ts';
import type { ActiveWanted, IsBrought } from './parse/draft.ts';
import { type ExactByTable, toExact } from './parse/exact-words.ts';
import { type Fragment, isListed, Slot } from './parse/operator.ts';
import { toCursor } from './parse/order.ts';
import { type HeldRows, parsePredicate, type SeeRelated, toHeld, toRowTest } from './parse/predicate.ts';
import { isDeep, type Position, Positions } from './position.ts';
import { type Counting, type Limits, parseSearch, type Search } from './question.ts';
import { RelationLoader } from './relation-loader.ts';
import { compileSource, type Source } from './source/source.ts';
import { narrowSource, toViewText, type View } from './source/view.ts';
import { compileCount, countHits } from './sql/count.ts';
import { compileNamed, type DetailInput, isOneStatement } from './sql/detail.ts';
import { decodeRows, toKeyValue, toTexts } from './sql/printed.ts';
import { compileGroups, compileRows, hiddenColumns, isPrinted, where } from './sql/select.ts';
import { Totals, toReadCost } from './total.ts';
import { bind, Statements, Values } from './values.ts';

/** Compiled statements kept per model, and more of a model with many schemas; compiling another takes about 20 µs. */
const KEPT_STATEMENTS = 1000;
const KEPT_BY_SCHEMA = 4;
/** Maximum rows of a page that code asks for. */
const CODE_ROWS = 10_000;
/** Sources kept for views with hidden columns. */
const KEPT_VIEWS = 200;

type Input = Readonly<Record<string, unknown>>;

/** What the caller may reach: a grant's rows and columns, and what relations show. Default: all. */
export interface Reach extends View {
  readonly rows?: RowPredicate | undefined;
  /** Names of the columns that a request may write. */
  readonly write?: ReadonlySet<string> | undefined;
  /** The rules that add up to it, where they differ in what may be written to which rows. */
  readonly rules?: readonly WriteRule[] | undefined;
  /** What a row must match after a write. Default as `rows`. */
  readonly after?: RowPredicate | undefined;
  /** A rule compares with the time: a total is not remembered. */
  readonly isTimed?: boolean | undefined;
}

export interface SearchOptions extends Reach {
  /**
   * Tells which parameters came with the request: they reach no removed or back-related rows. Default: none.
   */
  readonly isBrought?: IsBrought;
  /** True if a request's parameters may ask for removed rows. Default false. */
  readonly isRemovedOpen?: boolean;
}

interface DetailOptions extends Reach {
  /** True to also return a removed row. Default false. */
  readonly includesRemoved?: boolean;
  /** Names of the relations to load. Default: all. */
  readonly relations?: readonly string[] | undefined;
}

/** Searches the rows of a model's schemas. */
export interface Searcher {
  /** @throws SEARCH_INVALID (400, a {@link SearchError}). @throws SEARCH_SCHEMA_UNKNOWN (400). */
  search(database: Database, schema: string, input: Input, options?: SearchOptions): Promise<Searched>;
  /** One row by a column's value, with its relations, or undefined. @throws SEARCH_SCHEMA_UNKNOWN (400). */
  detail(
    database: Database,
    schema: string,
    by: { readonly column: string; readonly value: unknown },
    options?: DetailOptions,
  ): Promise<Row | undefined>;
  /** The ids for which the predicate holds, removed rows included. Without a predicate, all ids. */
  reached(
    database: Database,
    schema: string,
    ids: readonly number[],
    rows: RowPredicate | undefined,
  ): Promise<ReadonlySet<number>>;
  /** The predicate as a test on the alias `t`, for a write. Undefined if every row matches. */
  held(dialect: Dialect, schema: string, rows: RowPredicate | undefined): HeldRows | undefined;
  /** What a search can use of a schema through a view. @throws SEARCH_SCHEMA_UNKNOWN (400). */
  source(schema: string, view?: View): Source;
}

class ModelSearcher implements Searcher {
  readonly #model: Model;
  readonly #limits: Limits;
  readonly #sources = new Map<string, Source>();
  readonly #statements: Statements;
  readonly #views = new BoundedMap<Source>(KEPT_VIEWS);
  #viewed = 0;
  readonly #relations: RelationLoader;
  readonly #totals = new WeakMap<Database, Totals>();
  readonly #details: DetailReader;
  readonly #positions = memoize((_database: Database) => new Positions());

  constructor(model: Model, limits: Limits) {
    this.#model = model;
    this.#limits = limits;
    const kept = Math.max(KEPT_STATEMENTS, KEPT_BY_SCHEMA * model.schemas.size);
    this.#statements = new Statements(kept);
    this.#details = new DetailReader(kept);
    this.#relations = new RelationLoader((name, view) => this.source(name, view), this.#statements);
  }

  source(name: string, view?: View): Source {
    const whole = this.#sources.get(name) ?? this.#compile(name);
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
    this.#sources.set(name, source);
    return source;
  }

  async search(database: Database, schema: string, input: Input, options: SearchOptions = {}): Promise<Searched> {
    const source = this.source(schema, options);
    const { dialect } = database;
    const { see, isTimed = false } = options;
    const toSource = (name: string): Source => this.source(name);
    const parse = (exact?: ExactByTable) =>
      parseSearch(source, input, { ...options, limits: this.#limits, dialect, toSource, exact });
    const parsed = parse();
    if ('faults' in parsed) throw new SearchError(parsed.faults);
    const { rows: found, words } = parsed.search;
    if (found?.isVoid === true || words?.isVoid === true) return toNothing(parsed.search);
    const search = words === undefined ? parsed.search : await toExact(parsed.search, database, this.#model, parse);
    if (search.aggregate) return this.#groups(search, database, isTimed);
    const read = (position?: Position): Promise<Searched> => {
      // The same page, counted from the position.
      const rest = position && {
        ...input,
        start: undefined,
        after: position.after,
        offset: search.offset - position.offset,
      };
      const again = rest && parseSearch(source, rest, { ...options, limits: this.#limits, dialect, toSource });
      const at = again && 'search' in again ? again.search : search;
      const rows = this.#statements.find('rows', at.values, database, () => compileRows(at, database));
      const reading = database.run(rows.query, bind(rows, at.values.list), toReadCost(at));
      return this.#withTotal(search, at, reading, { database, see, isTimed });
    };
    return isTimed || !isDeep(search, database) ? read() : this.#positions(database).read(search, database, read);
  }

  async #withTotal(
    search: Search,
    at: Search,
    reading: Promise<Row[]>,
    { isTimed, ...finishing }: Finishing & { readonly isTimed: boolean },
  ): Promise<Searched> {
    const { counting } = search;
    if (counting === undefined) return this.#finish(at, await reading, finishing);
    const counted = this.#total(search, counting, finishing.database, isTimed);
    const [found, total] = await Promise.all([reading, counted]);
    return this.#finish(at, found, { ...finishing, total });
  }

  #total(search: Search, { values }: Counting, database: Database, isTimed: boolean): Promise<number> {
    const statement = this.#statements.find('count', values, database, () => compileCount(search, database));
    const { sql: text } = statement.query;
    // A remembered total runs no statement, so the read is noted here.
    noteRead(text);
    const tables = listReadTables([text]);
    const bound = bind(statement, values.list);
    const count = async (): Promise<number> =>
      (await countHits(search, database, this.#statements)) ??
      Number((await database.run(statement.query, bound, toReadCost(search)))[0]?.total ?? 0);
    if (isTimed) return count();
    const totals = this.#totals.get(database) ?? new Totals();
    this.#totals.set(database, totals);
    const key = bound.length === 0 ? values.shape : `${values.shape}|${JSON.stringify(bound)}`;
    return totals.find(database, key, count, tables);
  }

  async #groups(search: Search, database: Database, isTimed: boolean): Promise<Searched> {
    const { values, counting } = search;
    const statement = this.#statements.find('groups', values, database, () => compileGroups(search, database));
    const found = await database.run(statement.query, bind(statement, values.list), toReadCost(search));
    const rows = search.aggregate === undefined ? found : toGroupRows(found, search.aggregate);
    if (rows.length > search.limit) rows.length = search.limit;
    if (counting === undefined) return { rows };
    return { rows, ...toTotal(search, await this.#total(search, counting, database, isTimed)) };
  }

  async #finish(search: Search, found: Row[], { database, see, total }: Finishing): Promise<Searched> {
    const { limit, offset, cursor, order, source } = search;
    const isBack = cursor?.direction === 'before';
    const hasMore = found.length > limit;
    if (hasMore) found.length = limit;
    if (isBack) found.reverse();
    const isText = isPrinted(search, database);
    const rows = isText ? [] : decodeRows(source, found);
    const texts = isText ? toTexts(found) : [];
    const toMark = (index: number): string | undefined => {
      const row = isText ? (JSON.parse(texts.at(index) ?? 'null') as Row | null) : rows.at(index);
      return row ? toCursor(order, row) : undefined;
    };
    const next = hasMore || isBack ? toMark(-1) : undefined;
    const previous = (isBack ? hasMore : cursor !== undefined || offset > 0) ? toMark(0) : undefined;
    for (const relation of search.expand) await this.#relations.expand(relation, rows, source, { database, see });
    for (const { name } of hiddenColumns(search)) for (const row of rows) delete row[name];
    const result: Searched = {
      rows,
      ...toTotal(search, total),
      ...(next === undefined ? {} : { next }),
      ...(previous === undefined ? {} : { previous }),
    };
    if (isText) setJsonList(result, 'rows', texts);
    return result;
  }

  detail(
    database: Database,
    schema: string,
    by: { readonly column: string; readonly value: unknown },
    options: DetailOptions = {},
  ): Promise<Row | undefined> {
    // A removed row lets its unique values go, so a value may be that of an active row and of removed ones.
    const { schema: own, active } = this.source(schema);
    const isShared = options.includesRemoved && active !== undefined && by.column !== own.primary;
    if (!isShared) return toPromise(() => this.#find(database, schema, by, options));
    return toPromise(() => this.#find(database, schema, by, options, 'only')).then(
      (row) => row ?? this.#find(database, schema, by, options, 'removed'),
    );
  }

  #find(
    database: Database,
    schema: string,
    { column: name, value }: { readonly column: string; readonly value: unknown },
    options: DetailOptions,
    wanted: ActiveWanted = options.includesRemoved ? 'any' : 'only',
  ): Promise<Row | undefined> | undefined {
    const source = this.source(schema, options);
    const column = source.columns.get(name);
    if (column?.alias !== 't') return undefined;
    const key = toKeyValue(column.type === 'integer', value);
    if (key === undefined) return undefined;
    const { see } = options;
    const { dialect } = database;
    const values = new Values();
    values.mark(`${source.key} ${wanted}`);
    values.hold(name, key);
    const rows = parsePredicate(options.rows, { source: source.whole ?? source, dialect, values });
    if (rows?.isVoid === true) return undefined;
    const sight = this.#relations.toSight(source, { see, dialect, values });
    const all = [...source.relations.values()];
    const relations = options.relations ? all.filter((relation) => options.relations?.includes(relation.name)) : all;
    if (name === source.schema.primary) {
      const whole = values.fork();
      const ruling = { see, dialect, values: whole };
      const inputs = relations.map((relation) => this.#relations.toRelated(relation, true, ruling));
      const input: DetailInput = { source, relations: inputs, wanted, rows, sight };
      if (isOneStatement(input, database)) return this.#details.read(input, whole, database);
    }
    const compile = (): Fragment => compileNamed(column, { source, wanted, rows, sight }, dialect);
    const statement = this.#statements.find('detail', values, database, compile);
    const knownKey = name === source.schema.primary ? key : undefined;
    const reading = database.run(
      statement.query,
      bind(statement, values.list),
      knownKey === undefined ? undefined : KEYED,
    );
    return this.#relations.withRelations({ source, reading, relations, knownKey, see }, database);
  }

  async reached(
    database: Database,
    schema: string,
    ids: readonly number[],
    rows: RowPredicate | undefined,
  ): Promise<ReadonlySet<number>> {
    const source = this.source(schema);
    const { dialect } = database;
    const values = new Values();
    values.hold('ids', JSON.stringify(ids));
    const test = parsePredicate(rows, { source, dialect, values });
    if (test === undefined || !hidesRows(rows)) return new Set(ids);
    if (test.isVoid || ids.length === 0) return new Set();
    const statement = this.#statements.find('reached', values, database, () => {
      const key = toRef(source.primary);
      const tests = where([isListed(key, new Slot(0), dialect, 'integer'), toRowTest(test, dialect)]);
      return sql`select ${key} as id from ${sql.table(source.schema.table)} as t ${tests}`;
    });
    const found = await database.run(statement.query, bind(statement, values.list));
    return new Set(found.map(({ id }) => Number(id)));
  }

  held(dialect: Dialect, schema: string, rows: RowPredicate | undefined): HeldRows | undefined {
    const values = new Values();
    const test = parsePredicate(rows, { source: this.source(schema), dialect, values });
    return test && toHeld(test, dialect, values);
  }
}

interface Finishing {
  readonly database: Database;
  readonly see: SeeRelated | undefined;
  readonly total?: number;
}

/** Creates the searcher of a model. */
export function createSearcher(model: Model): Searcher {
  const { pageRows, maxPageRows, expandRows } = model.settings.limits;
  const codeRows = Math.max(maxPageRows, CODE_ROWS);
  return new ModelSearcher(model, { pageRows: Math.min(pageRows, maxPageRows), maxPageRows, codeRows, expandRows });
}

/** The searcher of a model, shared since it caches compiled statements; lives as long as the model. */
export const getSearcher = memoize(createSearcher);
