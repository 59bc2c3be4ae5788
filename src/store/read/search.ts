import { memoize } from '../../core/memoize.ts';
import {
  dropLastLine,
  findFirstLine,
  findLastLine,
  type JsonLines,
  reverseLines,
  setJsonLines,
  toJsonLines,
} from '../../core/request/json-list.ts';
import type { Database } from '../../database/database.ts';
import type { Row } from '../../database/row-statement.ts';
import type { Model } from '../../model/model.ts';
import { createEmptyResult, SearchError, type SearchResult, toTotal } from './answer.ts';
import type { BranchLoader } from './branch-loader.ts';
import { noteSearch } from './note.ts';
import { toGroupRows } from './parse/aggregate.ts';
import type { ExactByTable, IsFromClient } from './parse/draft.ts';
import { addExactWords } from './parse/exact-words.ts';
import { toCursor } from './parse/order.ts';
import type { SeeRelated } from './parse/predicate.ts';
import { type Limits, parseSearch } from './parse/search-parameters.ts';
import { isDeep, type Position, Positions } from './position.ts';
import { startRows } from './read-rows.ts';
import type { RelationLoader } from './relation-loader.ts';
import type { Search } from './search-shape.ts';
import type { Source } from './source/source.ts';
import type { Reach, Sources, View } from './source/view.ts';
import { decodeRows, parseRow, parseRowList, toTexts } from './sql/printed.ts';
import { compileGroups, compileRows, estimateReadCost, hiddenColumns, isPage, isPrinted, PAGE } from './sql/select.ts';
import { TotalReader } from './total.ts';
import { bind, type Statement, type Statements } from './values.ts';

export type Input = Readonly<Record<string, unknown>>;

export interface SearchOptions extends Reach {
  /**
   * Says which parameters came from the client: they reach no removed or back-related rows. Default: none.
   */
  readonly isFromClient?: IsFromClient;
  /** True if a request's parameters may ask for removed rows. Default false. */
  readonly isRemovedOpen?: boolean;
  /** `count`: the number of rows alone, counted anew. `first`: a row and no other, to see whether there is one. Default: a page. */
  readonly part?: 'count' | 'first' | undefined;
}

interface FinishOptions {
  readonly database: Database;
  readonly see: SeeRelated | undefined;
  readonly total?: number;
}

const EMPTY = Buffer.alloc(0);

/** Maximum rows of a page that code wants. */
export const MOST_ROWS = 10_000;

/** What a search of a part reads, whatever its stage says. */
const PARTS = {
  count: { total: 1, limit: 1 },
  first: { total: 0, limit: 1, range: undefined, offset: undefined, start: undefined },
} as const;

function findLimits({ settings }: Model): Limits {
  const { pageRows, maxPageRows, expandRows } = settings.limits;
  const codeRows = Math.max(maxPageRows, MOST_ROWS);
  return { pageRows: Math.min(pageRows, maxPageRows), maxPageRows, codeRows, expandRows };
}

interface PageParts {
  readonly sources: Sources;
  readonly statements: Statements;
  readonly relations: RelationLoader;
  readonly branches: BranchLoader;
}

/** Reads pages of rows, and groups of them. */
export class PageReader {
  readonly #model: Model;
  readonly #limits: Limits;
  readonly #sources: Sources;
  readonly #statements: Statements;
  readonly #relations: RelationLoader;
  readonly #branches: BranchLoader;
  readonly #totals: TotalReader;
  readonly #positions = memoize((_database: Database) => new Positions());

  constructor(model: Model, { sources, statements, relations, branches }: PageParts) {
    this.#model = model;
    this.#limits = findLimits(model);
    this.#sources = sources;
    this.#statements = statements;
    this.#relations = relations;
    this.#branches = branches;
    this.#totals = new TotalReader(statements);
  }

  /** @see Searcher.search */
  async search(database: Database, schema: string, wanted: Input, options: SearchOptions = {}): Promise<SearchResult> {
    const source = this.#sources.find(schema, options);
    const { dialect } = database;
    const { see, isTimed = false, part } = options;
    const input = part === undefined ? wanted : { ...wanted, ...PARTS[part] };
    const toSource = (name: string, view?: View): Source => this.#sources.find(name, view);
    const shared = { limits: this.#limits, dialect, toSource };
    const parse = (exact?: ExactByTable) => parseSearch(source, input, { ...options, ...shared, exact });
    const parsed = parse();
    if ('errors' in parsed) throw new SearchError(parsed.errors);
    const { rows: found, words } = parsed.search;
    if (found?.isVoid === true || words?.isVoid === true) return createEmptyResult(parsed.search);
    const search =
      words === undefined ? parsed.search : await addExactWords(parsed.search, database, this.#model, parse);
    if (search.aggregate) return this.#groups(search, database, isTimed);
    if (part === 'count' && search.counting)
      return { rows: [], total: await this.#totals.read(search, search.counting, database, true) };
    const read = (position?: Position): Promise<SearchResult> => {
      // The same page, counted from the position.
      const rest = position && {
        ...input,
        start: undefined,
        after: position.after,
        offset: search.offset - position.offset,
      };
      const again = rest && parseSearch(source, rest, { ...options, ...shared, isContinued: true });
      const at = again && 'search' in again ? again.search : search;
      const rows = this.#statements.find('rows', at.values, database, () => ({
        fragment: compileRows(at, database),
        note: noteSearch(at, 'rows'),
      }));
      const reading = this.#run(rows, at, database);
      return this.#withTotal(search, at, reading, { database, see, isTimed });
    };
    return isTimed || !isDeep(search, database) ? read() : this.#positions(database).read(search, database, read);
  }

  /** Reads the rows of a page, and notes which they are. */
  async #run(statement: Statement, search: Search, database: Database): Promise<Row[]> {
    const read = startRows();
    const settle = read?.addSearched(search);
    const cost = estimateReadCost(search);
    const found = await database.run(statement.query, bind(statement, search.values.list), cost, read?.list);
    if (search.source.joins.length > 0) settle?.(parseRows(search, found, database));
    return found;
  }

  async #withTotal(
    search: Search,
    at: Search,
    reading: Promise<Row[]>,
    { isTimed, ...finishing }: FinishOptions & { readonly isTimed: boolean },
  ): Promise<SearchResult> {
    const { counting } = search;
    if (counting === undefined) return this.#finish(at, await reading, finishing);
    const counted = this.#totals.read(search, counting, finishing.database, isTimed);
    const [found, total] = await Promise.all([reading, counted]);
    return this.#finish(at, found, { ...finishing, total });
  }

  async #groups(search: Search, database: Database, isTimed: boolean): Promise<SearchResult> {
    const { values, counting } = search;
    const statement = this.#statements.find('groups', values, database, () => ({
      fragment: compileGroups(search, database),
      note: noteSearch(search, 'groups'),
    }));
    const read = startRows();
    read?.addSearched(search);
    const cost = estimateReadCost(search);
    const found = await database.run(statement.query, bind(statement, values.list), cost, read?.list);
    const rows = search.aggregate === undefined ? found : toGroupRows(found, search.aggregate, database.dialect);
    if (rows.length > search.limit) rows.length = search.limit;
    if (counting === undefined) return { rows };
    return { rows, ...toTotal(search, await this.#totals.read(search, counting, database, isTimed)) };
  }

  async #finish(search: Search, found: Row[], { database, see, total }: FinishOptions): Promise<SearchResult> {
    if (isPrinted(search, database)) {
      const isText = isPage(search, database);
      const lines = isText ? readLines(found[0]) : toJsonLines(toTexts(found));
      return finishLines(search, lines, total);
    }
    const { limit, cursor, source } = search;
    const hasMore = found.length > limit;
    if (hasMore) found.length = limit;
    if (cursor?.direction === 'before') found.reverse();
    const rows = decodeRows(source, found, database.dialect);
    const marks = findMarks(search, hasMore, { first: () => rows[0], last: () => rows.at(-1) });
    for (const expansion of search.expand) await this.#relations.expand(expansion, rows, source, { database, see });
    const { schema } = source;
    for (const branch of search.branches) await this.#branches.add(branch, rows, { schema, database, see });
    for (const { name } of hiddenColumns(search)) for (const row of rows) delete row[name];
    return { rows, ...toTotal(search, total), ...marks };
  }
}

/** The rows as objects, in whatever form {@link compileRows} gives them. */
function parseRows(search: Search, found: readonly Row[], database: Database): readonly Row[] {
  if (isPage(search, database)) return parseRowList(`[${readLines(found[0]).bytes}]`);
  return isPrinted(search, database) ? toTexts(found).map(parseRow) : found;
}

/** The page of {@link compileRows}. A page without a row has no text. */
function readLines(row: Row | undefined): JsonLines {
  const text = row?.[PAGE.text];
  const bytes = text instanceof Uint8Array ? Buffer.from(text.buffer, text.byteOffset, text.byteLength) : EMPTY;
  return { bytes, count: Number(row?.[PAGE.count]) };
}

function finishLines(search: Search, found: JsonLines, total: number | undefined): SearchResult {
  const hasMore = found.count > search.limit;
  const page = hasMore ? dropLastLine(found) : found;
  const lines = search.cursor?.direction === 'before' ? reverseLines(page) : page;
  const parse = (text: string | undefined): Row | undefined => (text === undefined ? undefined : JSON.parse(text));
  const marks = findMarks(search, hasMore, {
    first: () => parse(findFirstLine(lines)),
    last: () => parse(findLastLine(lines)),
  });
  const result: SearchResult = { rows: [], ...toTotal(search, total), ...marks };
  setJsonLines(result, 'rows', lines);
  return result;
}

/** The first and the last row of a page; undefined if it has none. */
interface PageEnds {
  first(): Row | undefined;
  last(): Row | undefined;
}

/** The cursors of a page. @param hasMore Whether rows follow in the direction of the search. */
function findMarks(
  { cursor, offset, order }: Search,
  hasMore: boolean,
  ends: PageEnds,
): Pick<SearchResult, 'next' | 'previous'> {
  const toMark = (row: Row | undefined): string | undefined => (row ? toCursor(order, row) : undefined);
  const isBack = cursor?.direction === 'before';
  const next = hasMore || isBack ? toMark(ends.last()) : undefined;
  const previous = (isBack ? hasMore : cursor !== undefined || offset > 0) ? toMark(ends.first()) : undefined;
  return { ...(next === undefined ? {} : { next }), ...(previous === undefined ? {} : { previous }) };
}
