import { CompiledQuery } from 'kysely';
import { TreadleError } from '../../../core/errors.ts';
import { currentScope } from '../../../core/scope.ts';
import type { Database } from '../../../database/database.ts';
import type { Row } from '../../../database/row-statement.ts';
import { quote } from '../../../database/table-sql.ts';
import { listDue, readNext, readRows } from '../../../database/words/fill.ts';
import { lookAtWords, mendWords } from '../../../database/words/look.ts';
import type { WordsLook } from '../../../database/words/state.ts';
import { getWordTarget, toWordsTable, type WordTarget } from '../../../database/words/word-table.ts';
import type { Model } from '../../../model/model.ts';
import { toRowWords } from '../../../model/split-words.ts';
import type { Search } from '../search-shape.ts';
import type { ExactByTable, ExactWords } from './draft.ts';

/**
 * Finds rows by their texts where the index does not have the words of all of them: it is being built, is one of other
 * columns, or a row was written by a server that does not know of it.
 */

/** Rows read for one search. Some 200,000 short texts take a second. */
const MOST_ROWS = 200_000;
/** Rows without words that are read for each search; with more, all rows are. */
const MOST_DUE = 5000;

const tooMany = (table: string): TreadleError =>
  new TreadleError('SEARCH_INDEX_BEHIND', `The search index of ${table} does not have the words of all rows yet.`, {
    status: 503,
    headers: { 'retry-after': '30' },
    hint: 'Search again later. To build it: treadle migrate. Filters and sorts work meanwhile.',
  });

/** Tests rows for lists of words, and collects their ids. */
class Collector {
  readonly lists: number[][];
  readonly #target: WordTarget;
  readonly #groups: readonly (readonly string[])[];

  constructor(target: WordTarget, groups: readonly (readonly string[])[]) {
    this.#target = target;
    this.#groups = groups;
    this.lists = groups.map(() => []);
  }

  add(rows: readonly Row[]): void {
    const { columns, primary } = this.#target;
    for (const row of rows) {
      const words = toRowWords(columns, row);
      for (const [index, list] of this.#groups.entries()) {
        if (list.every((word) => words.some((other) => other.startsWith(word))))
          this.lists[index]?.push(Number(row[primary]));
      }
    }
  }
}

/** The ids that an index of more columns has for any of the lists, so that few rows are read. */
async function listCandidates(
  database: Database,
  { table }: WordTarget,
  groups: readonly (readonly string[])[],
): Promise<number[]> {
  const index = quote(toWordsTable(table));
  const texts =
    database.dialect === 'sqlite'
      ? groups.map((words) => words.map((word) => `"${word}"*`).join(' '))
      : groups.map((words) => words.map((word) => `'${word}':*`).join(' & '));
  const query =
    database.dialect === 'sqlite'
      ? `select rowid as id from ${index} where ${index} match ? limit ${MOST_ROWS + 1}`
      : `select id from ${index} where words @@ cast($1 as tsquery) limit ${MOST_ROWS + 1}`;
  const ids = new Set<number>();
  for (const text of new Set(texts)) {
    for (const { id } of await database.run(CompiledQuery.raw(query), [text])) ids.add(Number(id));
  }
  return [...ids];
}

/** Ids read at once. */
const PART = 500;

async function readByIds(database: Database, target: WordTarget, ids: readonly number[], into: Collector) {
  if (ids.length > MOST_ROWS) throw tooMany(target.table);
  for (let start = 0; start < ids.length; start += PART)
    into.add(await readRows(database, target, ids.slice(start, start + PART)));
}

async function readAll(database: Database, target: WordTarget, into: Collector): Promise<void> {
  let last = Number.MIN_SAFE_INTEGER;
  for (let read = 0; ; ) {
    const rows = await readNext(database, target, last);
    into.add(rows);
    if (rows.length === 0) return;
    read += rows.length;
    if (read > MOST_ROWS) throw tooMany(target.table);
    last = Number(rows.at(-1)?.[target.primary]);
  }
}

async function find(
  database: Database,
  target: WordTarget,
  look: WordsLook,
  groups: readonly (readonly string[])[],
): Promise<ExactWords> {
  const into = new Collector(target, groups);
  const due = await listDue(database, target, MOST_DUE + 1);
  const isFew = due.length <= MOST_DUE;
  if (isFew && !look.isBehind) {
    await readByIds(database, target, due, into);
    return { except: due, lists: into.lists };
  }
  if (isFew && look.isCovering) {
    const ids = new Set([...due, ...(await listCandidates(database, target, groups))]);
    await readByIds(database, target, [...ids], into);
  } else await readAll(database, target, into);
  return { except: undefined, lists: into.lists };
}

/**
 * The rows of each index that lacks words. Begins to add what lacks.
 *
 * @param groups Lists of words; a row has a list if each word is the beginning of one of its own.
 * @returns undefined if the indexes cover all rows. @throws SEARCH_INDEX_BEHIND (503) if they do not, and the rows are many.
 */
async function findExact(
  database: Database,
  targets: readonly WordTarget[],
  groups: readonly (readonly string[])[],
): Promise<ExactByTable | undefined> {
  let found: Map<string, ExactWords> | undefined;
  for (const target of targets) {
    const look = await lookAtWords(database, target);
    if (look === undefined) continue;
    // The rows of an answer, and not those that were looked through for it, decide how long it is valid.
    const { reads: _, ...scope } = currentScope.getStore() ?? {};
    const exact = await currentScope.run(scope, () => find(database, target, look, groups));
    found ??= new Map();
    found.set(toWordsTable(target.table), exact);
    if (look.isOwn) mendWords(database, target);
  }
  return found;
}

type ParsedWords = { readonly search: Search } | { readonly errors: unknown };

/** The search as it is, or parsed again with the rows that its indexes do not tell. */
export async function addExactWords(
  search: Search,
  database: Database,
  { schemas }: Model,
  parse: (exact: ExactByTable) => ParsedWords,
): Promise<Search> {
  const targets = search.source.words.flatMap(({ schema }) => {
    const model = schemas.get(schema);
    return model === undefined ? [] : [getWordTarget(model)];
  });
  const exact = await findExact(database, targets, search.words?.lists ?? []);
  const parsed = exact && parse(exact);
  return parsed !== undefined && 'search' in parsed ? parsed.search : search;
}
