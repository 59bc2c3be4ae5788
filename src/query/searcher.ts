import { sql } from 'kysely';
import { TreadleError } from '../core/errors.ts';
import { setJsonList } from '../core/json-list.ts';
import { toDidYouMean } from '../core/suggest.ts';
import type { Database, Row } from '../database/database.ts';
import type { Model, RelationModel } from '../model/model.ts';
import { toGroupRows } from './aggregate.ts';
import { BoundedMap } from './bounded-map.ts';
import { toRef } from './condition.ts';
import { toCursor } from './cursor.ts';
import { type Fragment, Slot } from './operator.ts';
import { compileRelated, loadMany, loadOne, type Related, type RelatedInput, toMoreName } from './related.ts';
import { decodeRows } from './row.ts';
import { type Limits, parseSearch, type Search } from './search.ts';
import { compileSource, type Source } from './source.ts';
import {
  activeConditions,
  bind,
  compileCount,
  compileGroups,
  compileRows,
  compileStatement,
  fromJoined,
  hiddenColumns,
  isPrinted,
  PRINTED,
  type Statement,
  selectList,
  where,
} from './statement.ts';
import { Totals } from './total.ts';
import { compileWhole, isWhole, toWhole, type WholeInput } from './whole.ts';

/** Statements kept per model; a request that asks for yet another combination compiles it anew (some 20 µs). */
const KEPT_STATEMENTS = 1000;

type Input = Readonly<Record<string, unknown>>;

export interface SearchOptions {
  /** Rows of this profile only; on a schema with no way to a profile, none. */
  readonly profileId?: number | undefined;
  /** The parameters come from a request: relations that only lead here are not asked through. Default false. */
  readonly isOutside?: boolean;
}

export interface DetailOptions {
  readonly profileId?: number | undefined;
  /** Whether a removed row is given too. Default false. */
  readonly includesRemoved?: boolean;
  /** Names of the relations that are loaded. Default: all. */
  readonly relations?: readonly string[] | undefined;
}

export interface Searched {
  readonly rows: readonly Row[];
  /** Number of rows on all pages; undefined with `total=0`. */
  readonly total?: number;
  /** Cursor for `after`, where there is a next page. */
  readonly next?: string;
  /** Cursor for `before`, where there may be a page before this one. */
  readonly previous?: string;
}

/** What is wrong with a search's parameters: `validation` by parameter, the message names the first. */
export class SearchError extends TreadleError {
  readonly validation: Readonly<Record<string, string>>;

  constructor(validation: Readonly<Record<string, string>>) {
    const faults = Object.values(validation);
    super('SEARCH_INVALID', faults[0] ?? 'The search is not valid.', { status: 400, detail: validation });
    this.validation = validation;
  }
}

/** Searches the rows of a model's schemas. */
export interface Searcher {
  /** @throws SEARCH_INVALID (400, a {@link SearchError}). @throws SEARCH_SCHEMA_UNKNOWN (400). */
  search(database: Database, schema: string, input: Input, options?: SearchOptions): Promise<Searched>;
  /** One row by a column, with its relations; undefined where there is none. @throws SEARCH_SCHEMA_UNKNOWN (400). */
  detail(
    database: Database,
    schema: string,
    by: { readonly column: string; readonly value: unknown },
    options?: DetailOptions,
  ): Promise<Row | undefined>;
  source(schema: string): Source;
}

class ModelSearcher implements Searcher {
  readonly #model: Model;
  readonly #limits: Limits;
  readonly #sources = new Map<string, Source>();
  readonly #statements = new BoundedMap<Statement>(KEPT_STATEMENTS);
  readonly #totals = new WeakMap<Database, Totals>();

  constructor(model: Model, limits: Limits) {
    this.#model = model;
    this.#limits = limits;
  }

  source(name: string): Source {
    const known = this.#sources.get(name);
    if (known) return known;
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
    const source = this.source(schema);
    const { dialect } = database;
    const { profileId, isOutside = false } = options;
    const parsed = parseSearch(source, input, { limits: this.#limits, dialect, profileId, isTrusted: !isOutside });
    if ('faults' in parsed) throw new SearchError(parsed.faults);
    const { search } = parsed;
    const isNobody = (profileId !== undefined && !source.owner) || search.words?.isVoid === true;
    if (isNobody) return toNothing(search);
    if (search.aggregate) return this.#groups(search, database);
    const rows = this.#statements.getOrMake(`rows|${search.key}`, () => compileRows(search, database));
    const reading = database.run(rows.query, bind(rows, search.values));
    if (!search.hasTotal) return this.#finish(search, await reading, database);
    const [found, total] = await Promise.all([reading, this.#total(search, database)]);
    return this.#finish(search, found, database, total);
  }

  #total(search: Search, database: Database): Promise<number> {
    const { countKey } = search;
    const statement = this.#statements.getOrMake(`count|${countKey}`, () => compileCount(search, database));
    const values = bind(statement, search.values);
    const count = async (): Promise<number> => Number((await database.run(statement.query, values))[0]?.total ?? 0);
    const totals = this.#totals.get(database) ?? new Totals();
    this.#totals.set(database, totals);
    return totals.find(database, values.length === 0 ? countKey : `${countKey}|${JSON.stringify(values)}`, count);
  }

  async #groups(search: Search, database: Database): Promise<Searched> {
    const read = async (kind: string, make: () => Statement): Promise<Row[]> => {
      const statement = this.#statements.getOrMake(kind, make);
      return database.run(statement.query, bind(statement, search.values));
    };
    const rows = toGroupRows(await read(`groups|${search.key}`, () => compileGroups(search, database)));
    if (rows.length > search.limit) rows.length = search.limit;
    if (!search.hasTotal) return { rows };
    return { rows, total: await this.#total(search, database) };
  }

  async #finish(search: Search, found: Row[], database: Database, total?: number): Promise<Searched> {
    const { limit, offset, cursor, order, source } = search;
    const isBack = cursor?.direction === 'before';
    const hasMore = found.length > limit;
    if (hasMore) found.length = limit;
    if (isBack) found.reverse();
    const isText = isPrinted(search, database);
    const rows = isText ? [] : decodeRows(source, found);
    const texts = isText ? found.map((row) => row[PRINTED] as string) : [];
    const toMark = (index: number): string | undefined => {
      const row = isText ? parseRow(texts.at(index)) : rows.at(index);
      return row && toCursor(order, row);
    };
    const next = hasMore || isBack ? toMark(-1) : undefined;
    const previous = (isBack ? hasMore : cursor !== undefined || offset > 0) ? toMark(0) : undefined;
    for (const relation of search.expand) await this.#expand(relation, rows, source, database);
    for (const { name } of hiddenColumns(search)) for (const row of rows) delete row[name];
    const result: Searched = {
      rows,
      ...(total === undefined ? {} : { total }),
      ...(next === undefined ? {} : { next }),
      ...(previous === undefined ? {} : { previous }),
    };
    if (isText) setJsonList(result, 'rows', texts);
    return result;
  }

  async #expand(relation: RelationModel, rows: readonly Row[], source: Source, database: Database): Promise<void> {
    const input = { relation, target: this.source(relation.target), isOne: false };
    const keyColumn = relation.kind === '1:0' ? (relation.targetColumn ?? '') : source.schema.primary;
    await loadMany(input, this.#related(source, input, database), rows, { database, keyColumn });
  }

  #related(source: Source, input: RelatedInput, database: Database): Statement {
    const key = `related|${source.schema.name}|${input.relation.name}|${input.isOne}`;
    return this.#statements.getOrMake(key, () => compileRelated(input, database));
  }

  async detail(
    database: Database,
    schema: string,
    { column: name, value }: { readonly column: string; readonly value: unknown },
    options: DetailOptions = {},
  ): Promise<Row | undefined> {
    const source = this.source(schema);
    const column = source.columns.get(name);
    const isRestricted = options.profileId !== undefined;
    if (column?.alias !== 't' || (isRestricted && !source.owner)) return undefined;
    const key = toKeyValue(column.type === 'integer', value);
    if (key === undefined) return undefined;
    const wanted = options.includesRemoved ? 'any' : 'only';
    const all = [...source.relations.values()];
    const relations = options.relations ? all.filter((relation) => options.relations?.includes(relation.name)) : all;
    const values = [key, options.profileId];
    if (name === source.schema.primary) {
      const targets = relations.map((relation) => ({ relation, target: this.source(relation.target) }));
      const whole = { source, relations: targets, wanted, isRestricted } as const;
      if (isWhole(whole, database)) return this.#whole(whole, values, database);
    }
    const statement = this.#statements.getOrMake(`detail|${schema}|${name}|${wanted}|${isRestricted}`, () => {
      const parts: Fragment[] = [sql`${toRef(column)} = ${new Slot(0)}`, ...activeConditions(source, wanted)];
      if (isRestricted && source.owner) parts.push(sql`${toRef(source.owner)} = ${new Slot(1)}`);
      const list = selectList(source.columns.values());
      return compileStatement(sql`select ${list} ${fromJoined(source)} ${where(parts)} limit 1`, database);
    });
    const reading = database.run(statement.query, bind(statement, values));
    const knownKey = name === source.schema.primary ? key : undefined;
    return this.#withRelations({ source, reading, relations, knownKey }, database);
  }

  async #whole(input: WholeInput, values: readonly unknown[], database: Database): Promise<Row | undefined> {
    const { source, relations, wanted, isRestricted } = input;
    const names = relations.map(({ relation }) => relation.name).join();
    const key = `whole|${source.schema.name}|${wanted}|${isRestricted}|${names}`;
    const statement = this.#statements.getOrMake(key, () => compileWhole(input, database));
    const found = await database.run(statement.query, bind(statement, values));
    return toWhole(found[0], input);
  }

  /** With the row's key known beforehand, its lists are read at the same time as the row. */
  async #withRelations({ source, reading, relations, knownKey }: Detail, database: Database): Promise<Row | undefined> {
    const load = (relation: RelationModel, key: unknown): Promise<Related> => {
      const input = { relation, target: this.source(relation.target), isOne: true };
      return loadOne(input, this.#related(source, input, database), key, database);
    };
    const ahead = relations.filter(({ kind }) => knownKey !== undefined && kind !== '1:0');
    const [found, ...lists] = await Promise.all([reading, ...ahead.map((relation) => load(relation, knownKey))]);
    const row = decodeRows(source, found)[0];
    if (!row) return undefined;
    for (const relation of relations) {
      const index = ahead.indexOf(relation);
      const key = relation.kind === '1:0' ? row[relation.targetColumn ?? ''] : row[source.schema.primary];
      putRelation(row, relation, lists[index] ?? (await load(relation, key)));
    }
    return row;
  }
}

interface Detail {
  readonly source: Source;
  readonly reading: Promise<Row[]>;
  readonly relations: readonly RelationModel[];
  readonly knownKey: unknown;
}

/** The answer where no row is found; a sum over all rows is one row even then. */
function toNothing({ aggregate, hasTotal }: Search): Searched {
  const isOne = aggregate?.groups.length === 0;
  const rows = isOne ? [{ count: 0, ...(aggregate?.sum === undefined ? {} : { total: 0 }) }] : [];
  return hasTotal ? { rows, total: rows.length } : { rows };
}

function putRelation(row: Row, relation: RelationModel, { value, texts, hasMore }: Related): void {
  if (texts === undefined) row[relation.name] = value;
  else setJsonList(row, relation.name, texts);
  if (hasMore) row[toMoreName(relation)] = true;
}

function parseRow(text: string | undefined): Row | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Row);
}

/** A key as the column compares it; undefined for what no row can have. */
function toKeyValue(isInteger: boolean, value: unknown): string | number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (!isInteger) return String(value);
  return /^\d{1,15}$/.test(String(value)) ? Number(value) : undefined;
}

/** Searches over a model. */
export function createSearcher(model: Model): Searcher {
  const { pageRows, maxPageRows, expandRows } = model.settings.limits;
  return new ModelSearcher(model, { pageRows: Math.min(pageRows, maxPageRows), maxPageRows, expandRows });
}

const searchers = new WeakMap<Model, Searcher>();

/** The searcher of a model: one for all who ask, kept as long as the model is, since it keeps the compiled statements. */
export function getSearcher(model: Model): Searcher {
  const known = searchers.get(model);
  if (known) return known;
  const made = createSearcher(model);
  searchers.set(model, made);
  return made;
}

interface SearchContext {
  readonly plan: { readonly model: Model };
  readonly services: { readonly database: Database };
}
interface Restriction {
  readonly profileId: number;
}

/** The search as the plan's `Search` has it: over the model of whoever asks. */
export const createSearch = () =>
  Object.freeze({
    search({ plan, services }: SearchContext, schema: string, input: Input, restrict?: Restriction): Promise<Searched> {
      return getSearcher(plan.model).search(services.database, schema, input, { profileId: restrict?.profileId });
    },
    detail(
      { plan, services }: SearchContext,
      schema: string,
      column: string,
      value: unknown,
      restrict?: Restriction,
    ): Promise<Row | undefined> {
      const options = { profileId: restrict?.profileId };
      return getSearcher(plan.model).detail(services.database, schema, { column, value }, options);
    },
  });
