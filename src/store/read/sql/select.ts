import { sql } from 'kysely';
import { LINE_END } from '../../../core/request/json-list.ts';
import type { Database, Dialect } from '../../../database/database.ts';
import type { ReadCost } from '../../../database/load/read-cost.ts';
import { PAGE_COUNT } from '../../../database/row-statement.ts';
import { compileAggregate } from '../parse/aggregate.ts';
import { buildRef, buildTest, type Narrow } from '../parse/condition.ts';
import type { ActiveOption } from '../parse/draft.ts';
import type { Condition } from '../parse/json-path.ts';
import { Slot, toLimit } from '../parse/operator.ts';
import { buildRowTest, findReached, type RowVisibility, WHOLE_SIGHT } from '../parse/predicate.ts';
import { bindSight } from '../parse/sight.ts';
import { compileWords, type WordsPlan, type WordsWalk } from '../parse/words.ts';
import type { Search } from '../search-shape.ts';
import { isIndexable, isReal, type Source, type SourceColumn } from '../source/source.ts';
import type { Fragment } from './exact-double.ts';
import { compilePages, compileStart, findTested, type PageQuery } from './page.ts';
import {
  buildShown,
  findMask,
  HIDDEN,
  isPrintable,
  listMasked,
  type Masking,
  PRINTED,
  type PrintedColumns,
  printRow,
} from './printed.ts';

/** {@link HIDDEN} in a select list; empty if every row shows all columns. */
function listHidden(columns: readonly SourceColumn[], masking: Masking): Fragment[] {
  const names = listMasked(columns, masking, (name) => ['', `${name},`]);
  return names.length === 0 ? [] : [sql`${sql.join(names, sql` || `)} as ${sql.ref(HIDDEN)}`];
}

function select(column: SourceColumn, masking: Masking, dialect?: Dialect): Fragment {
  // A view of rows that is not told the dialect has no paths within JSON.
  const plain = buildRef(
    bindSight(column, masking.sight, masking.dialect),
    column.computed === undefined ? dialect : masking.dialect,
  );
  const ref = buildShown(column, plain, masking);
  // The driver returns exact decimals as text.
  if (column.part?.kind === 'number' && dialect === 'postgres')
    return sql`cast(${ref} as double precision) as ${sql.ref(column.name)}`;
  const isNamed = column.name === column.column && column.computed === undefined && ref === plain;
  return isNamed ? ref : sql`${ref} as ${sql.ref(column.name)}`;
}

/** Columns as a select list, with {@link HIDDEN} if some rows hide one of them; `decodeRows` removes those. */
export function selectList(columns: Iterable<SourceColumn>, masking: Masking, dialect?: Dialect): Fragment {
  const all = [...columns];
  return sql.join([...all.map((column) => select(column, masking, dialect)), ...listHidden(all, masking)]);
}

/** The names of {@link selectList}. */
function listNames(columns: readonly SourceColumn[], masking: Masking): string[] {
  const names = columns.map(({ name }) => name);
  return columns.some((column) => findMask(column, masking) !== undefined) ? [...names, HIDDEN] : names;
}

const listColumns = (columns: readonly SourceColumn[], masking: Masking): PrintedColumns => ({
  list: selectList(columns, masking, masking.dialect),
  names: listNames(columns, masking),
});

/** The 1:1 relations as outer joins: the row stays in the result if the joined row is missing or hidden. */
export function joinAll({ joins }: Source, dialect: Dialect, sight: RowVisibility): Fragment {
  const parts = joins.map(({ schema, alias, table, foreign, primary }) => {
    const key = sql`${sql.ref(`${alias}.${primary}`)}`;
    const reached = findReached(key, sight.get(schema), dialect);
    const seen = reached === undefined ? sql`` : sql` and ${reached}`;
    return sql`left join ${sql.table(table)} as ${sql.ref(alias)} on ${key} = ${sql.ref(`t.${foreign}`)}${seen}`;
  });
  return sql.join(parts, sql` `);
}

/** `from` with the joins of the 1:1 relations. */
export const fromJoined = (source: Source, dialect: Dialect, sight = WHOLE_SIGHT): Fragment =>
  sql`from ${sql.table(source.schema.table)} as t ${joinAll(source, dialect, sight)}`;

/** Adds the rules for related rows to conditions on them. */
function createNarrow(sight: RowVisibility, dialect: Dialect): Narrow | undefined {
  if (sight.size === 0) return undefined;
  return ({ target }, key) => findReached(key, sight.get(target), dialect);
}

/** Selects active or removed rows. The value is a literal, so that a partial index can be used. */
export function activeConditions({ active }: Source, wanted: ActiveOption): Fragment[] {
  if (!active || wanted === 'any') return [];
  return [wanted === 'only' ? sql`${buildRef(active)} = 1` : sql`${buildRef(active)} = 0`];
}

export const where = (parts: readonly Fragment[]): Fragment =>
  parts.length === 0 ? sql`` : sql`where ${sql.join(parts, sql` and `)}`;

/** Columns that a search needs but does not return: to make cursors and to expand. */
export function hiddenColumns({ fields, source, order, expand, branches }: Search): SourceColumn[] {
  const parts = order.map(({ column }) => column).filter(({ part }) => part !== undefined);
  if (!fields) return parts;
  const shown = new Set(fields.map(({ name }) => name));
  const needed = order.map(({ column }) => column);
  for (const { relation } of expand) {
    const { kind, targetColumn } = relation;
    const column = kind === '1:0' && targetColumn !== undefined ? source.columns.get(targetColumn) : undefined;
    if (column) needed.push(column);
  }
  for (const { tree } of branches) needed.push(source.columns.get(tree.column) ?? source.primary);
  const hidden = needed.filter(({ name }) => !shown.has(name));
  return hidden.filter((column, index) => hidden.findIndex(({ name }) => name === column.name) === index);
}

/** True if rows can be read as JSON text, because nothing is added or removed afterwards. */
export function isPrinted(search: Search, database: Database): boolean {
  const { source, fields, aggregate } = search;
  if (aggregate || search.expand.length + search.branches.length > 0 || hiddenColumns(search).length > 0) return false;
  return isPrintable(fields?.length ?? source.columns.size, database);
}

/** The columns of {@link compileRows} where the rows of a page are one text. */
export const PAGE = { count: PAGE_COUNT, text: 'treadle_page' } as const;

/**
 * True if the rows of a page are read as one text of bytes, as JSON lines: no value is made of each row. A double needs its
 * shortest text, which JavaScript makes.
 */
export function isPage(search: Search, database: Database): boolean {
  return isPrinted(search, database) && !(search.fields ?? [...search.source.columns.values()]).some(isReal);
}

interface Base {
  readonly words: WordsPlan | undefined;
  /** The searched table, after the table of the words if that comes first. */
  readonly table: Fragment;
  readonly tests: readonly Fragment[];
}

/** The tables and conditions of a search, without the 1:1 relations. */
export function buildBase(search: Search, dialect: Dialect): Base {
  const { source, sight } = search;
  const words = search.words && compileWords(search.words, source, { dialect, sight });
  const lead = words?.lead === undefined ? sql`` : sql`${words.lead} `;
  return {
    words,
    table: sql`from ${lead}${sql.table(source.schema.table)} as t`,
    tests: [...(words?.tests ?? []), ...listTests(search, dialect)],
  };
}

/** All tests of at least one list. */
const oneOf = (lists: readonly (readonly Fragment[])[]): Fragment =>
  sql`(${sql.join(
    lists.map((tests) => sql`(${sql.join([...tests], sql` and `)})`),
    sql` or `,
  )})`;

/** The conditions of a search, without its words. */
function listTests(search: Search, dialect: Dialect): Fragment[] {
  const { source, rows, sight, active, conditions, alternatives } = search;
  const narrow = createNarrow(sight, dialect);
  const reached = rows === undefined ? [] : [buildRowTest(rows, dialect)];
  // Who looks for removed rows finds them below the others, too.
  const through = [...activeConditions(source, active === 'only' ? 'only' : 'any'), ...reached];
  const toTests = (all: readonly Condition[]): Fragment[] =>
    all.map((condition) => buildTest(condition, dialect, narrow, through));
  return [
    ...activeConditions(source, active),
    ...reached,
    ...toTests(conditions),
    ...(alternatives === undefined ? [] : [oneOf(alternatives.map(toTests))]),
  ];
}

/** The other way to the rows if a page is in the order of a column of the table itself, and not after a cursor. */
function findWalk({ order, cursor, source }: Search, words: WordsPlan | undefined): WordsWalk | undefined {
  const column = order[0]?.column;
  if (column === undefined || cursor !== undefined || column.name === source.primary.name) return undefined;
  return isIndexable(column) ? words?.walk : undefined;
}

/** One statement with both ways; the limit of one of them is 0, and that of both if the outer gate is false. */
function compileBoth(query: PageQuery, { walk, from, tests, order }: WalkedSearch, dialect: Dialect): Fragment {
  const outer = query.gate === undefined ? sql`` : sql`${query.gate} and `;
  const many = sql`(select many from ${walk.name})`;
  const gate = sql`${outer}${many}`;
  const walking = compilePages({ ...query, from, tests: [walk.test, ...tests], order, gate }, dialect);
  const sorting = compilePages({ ...query, gate: sql`${outer}not ${many}` }, dialect);
  return sql`with ${walk.name}(many) as materialized (${walk.many}) select * from (${walking}) union all select * from (${sorting})`;
}

interface WalkedSearch {
  readonly walk: WordsWalk;
  readonly from: Fragment;
  readonly tests: readonly Fragment[];
  readonly order: PageQuery['order'];
}

const toWindow = (slot: number, dialect: Dialect): Fragment =>
  sql`limit ${toLimit(slot, dialect)} offset ${new Slot(slot + 1)}`;

/** Compiles the rows of a search: each as columns or as one JSON text, or the page as one text. */
export function compileRows(search: Search, database: Database): Fragment {
  const rows = compileEach(search, database);
  if (!isPage(search, database)) return rows;
  const text = sql`cast(group_concat(${sql.ref(PRINTED)}, ${sql.lit(LINE_END)}) as blob)`;
  return sql`select count(*) as ${sql.ref(PAGE.count)}, ${text} as ${sql.ref(PAGE.text)} from (${rows})`;
}

function compileEach(search: Search, database: Database): Fragment {
  const { dialect } = database;
  const { source, order } = search;
  const { words, table, tests } = buildBase(search, dialect);
  const joins = joinAll(source, dialect, search.sight);
  const from = sql`${table} ${joins}`;
  const columns = [...(search.fields ?? source.columns.values()), ...hiddenColumns(search)];
  const ordered = words?.ordered;
  const masking: Masking = { source, rows: search.rows, sight: search.sight, dialect };
  const query: PageQuery = {
    ...(isPrinted(search, database) ? printRow(columns, masking) : listColumns(columns, masking)),
    from,
    tests,
    // The index returns words by rowid, which is the key: a page in that order ends as soon as it is full.
    order: order.map((item) =>
      ordered !== undefined && item.column.name === source.primary.name
        ? { ...item, column: { ...item.column, alias: ordered, column: 'rowid' } }
        : item,
    ),
    cursor: search.cursor,
    limitSlot: search.limitSlot,
    isWhole: search.words !== undefined,
  };
  const plain = listTests(search, dialect);
  const walk = findWalk(search, words);
  const walked = walk && { walk, order, from: sql`from ${sql.table(source.schema.table)} as t ${joins}`, tests: plain };
  const compile = (gated: PageQuery): Fragment =>
    walked === undefined ? compilePages(gated, dialect) : compileBoth(gated, walked, dialect);
  const tested = findTested(search, dialect);
  if (tested === undefined) return compile(query);
  const start = { search, page: query, joins, tests: plain };
  return compileStart(start, tested, (gate) => compile({ ...query, gate }));
}

/** Compiles the groups of a search. */
export function compileGroups(search: Search, database: Database): Fragment {
  const { aggregate, source, limitSlot } = search;
  if (aggregate === undefined) return compileEach(search, database);
  const { list, groupBy, orderBy } = compileAggregate(aggregate, database.dialect);
  const { table, tests } = buildBase(search, database.dialect);
  const from = sql`${table} ${joinAll(source, database.dialect, search.sight)}`;
  return sql`select ${list} ${from} ${where(tests)} ${groupBy} ${orderBy} ${toWindow(limitSlot, database.dialect)}`;
}

/** Assumed milliseconds of a search that has not run yet: it could take seconds. */
const GUESS = 50;
/** Words of at least this many letters are assumed equally rare. */
const MOST_LETTERS = 4;

const PLAIN: ReadCost = { kind: '', guess: GUESS };

/**
 * Key for a search's measured cost, in addition to its statement: a prefix of one letter finds far more rows than
 * one of four, and rows skipped by `offset` are read too.
 */
export function estimateReadCost({ words, offset }: Search): ReadCost {
  if (words === undefined && offset === 0) return PLAIN;
  const letters = words === undefined ? '' : Math.min(words.letters, MOST_LETTERS);
  return { kind: `${letters}/${offset === 0 ? '' : Math.floor(Math.log10(offset))}`, guess: GUESS };
}
