import { sql } from 'kysely';
import { hidesRows, type RowPredicate } from '../../core/access.ts';
import { memoize } from '../../core/memoize.ts';
import type { Database, Dialect } from '../../database/database.ts';
import type { Row } from '../../database/row-statement.ts';
import type { Model } from '../../model/model.ts';
import type { SearchResult } from './answer.ts';
import { BranchLoader } from './branch-loader.ts';
import { DetailFinder, type DetailOptions } from './detail.ts';
import { buildRef } from './parse/condition.ts';
import { isListed, Slot } from './parse/operator.ts';
import { buildRowTest, type CompiledFilter, compileFilter, parsePredicate } from './parse/predicate.ts';
import { RelationLoader } from './relation-loader.ts';
import { type Input, PageReader, type SearchOptions } from './search.ts';
import type { SearchNote } from './search-note.ts';
import type { Source } from './source/source.ts';
import { Sources, type View } from './source/view.ts';
import type { Fragment } from './sql/exact-double.ts';
import { where } from './sql/select.ts';
import { bind, Statements, Values } from './values.ts';

/** Cached compiled statements per model, and more of a model with many schemas; compiling another takes about 20 µs. */
const CACHED_STATEMENTS = 1000;
const CACHED_BY_SCHEMA = 4;

/** Searches the rows of a model's schemas. */
export interface Searcher {
  /** @throws SEARCH_INVALID (400, a {@link SearchError}). @throws SEARCH_SCHEMA_UNKNOWN (400). */
  search(database: Database, schema: string, input: Input, options?: SearchOptions): Promise<SearchResult>;
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
  rowFilter(dialect: Dialect, schema: string, rows: RowPredicate | undefined): CompiledFilter | undefined;
  /** What a statement asks; undefined for one that the searcher did not compile. It costs a search through all statements. */
  note(database: Database, text: string): SearchNote | undefined;
  /** What a search can use of a schema through a view. @throws SEARCH_SCHEMA_UNKNOWN (400). */
  source(schema: string, view?: View): Source;
}

/** What the searches of a model share. */
interface SearcherParts {
  readonly sources: Sources;
  readonly statements: Statements;
}

async function findReachedIds(
  { sources, statements }: SearcherParts,
  database: Database,
  schema: string,
  ids: readonly number[],
  rows: RowPredicate | undefined,
): Promise<ReadonlySet<number>> {
  const source = sources.find(schema);
  const { dialect } = database;
  const values = new Values();
  values.add('ids', JSON.stringify(ids));
  const test = parsePredicate(rows, { source, dialect, values });
  if (test === undefined || !hidesRows(rows)) return new Set(ids);
  if (test.isVoid || ids.length === 0) return new Set();
  const compile = (): Fragment => {
    const key = buildRef(source.primary);
    const tests = where([isListed(key, new Slot(0), dialect, 'integer'), buildRowTest(test, dialect)]);
    return sql`select ${key} as id from ${sql.table(source.schema.table)} as t ${tests}`;
  };
  const statement = statements.find('reached', values, database, () => ({ fragment: compile() }));
  const found = await database.run(statement.query, bind(statement, values.list));
  return new Set(found.map(({ id }) => Number(id)));
}

/** Creates the searcher of a model. */
export function createSearcher(model: Model): Searcher {
  const cacheSize = Math.max(CACHED_STATEMENTS, CACHED_BY_SCHEMA * model.schemas.size);
  const sources = new Sources(model);
  const statements = new Statements(cacheSize);
  const relations = new RelationLoader((name, view) => sources.find(name, view), statements);
  const { expandRows } = model.settings.limits;
  const branches = new BranchLoader(relations, statements, expandRows);
  const pages = new PageReader(model, { sources, statements, relations, branches });
  const details = new DetailFinder({ sources, statements, relations, branches, expandRows }, cacheSize);
  return {
    search: pages.search.bind(pages),
    detail: details.find.bind(details),
    reached: findReachedIds.bind(undefined, { sources, statements }),
    note: (database, text) => statements.findNote(text) ?? details.findNote(text, database),
    source: sources.find.bind(sources),
    rowFilter(dialect, schema, rows) {
      const values = new Values();
      const test = parsePredicate(rows, { source: sources.find(schema), dialect, values });
      return test && compileFilter(test, dialect, values);
    },
  };
}

/** The searcher of a model, shared since it caches compiled statements; lives as long as the model. */
export const getSearcher = memoize(createSearcher);
