import { createHash } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import { memoize } from '../../core/memoize.ts';
import type { SchemaModel } from '../../model/model.ts';
import { listWordColumns, toRowWords, WORDS_VERSION, type WordColumn } from '../../model/split-words.ts';
import type { Database, Dialect } from '../database.ts';
import type { Companion, Row, WrittenRow } from '../row-statement.ts';
import type { Table } from '../table.ts';
import { quote } from '../table-sql.ts';

/** A table with searchable columns. */
export interface WordTarget {
  readonly table: string;
  readonly primary: string;
  readonly columns: readonly WordColumn[];
}

/** Maximum length of an identifier in both databases. */
const NAME_CHARACTERS = 63;
const START = 'treadle_words_';
const END = '_fts';
const TRIGGER_END = '_gone';
const INDEX_END = '_gin';
/** New words that PostgreSQL collects before it sorts them into the index; each search scans all of them. */
const PENDING_KILOBYTES = 256;
/**
 * Prefixes of these lengths are indexed separately, so that a rare word next to a common one is found
 * quickly.
 */
const PREFIXES = '1 2 3 4 5 6 7 8 9 10 11 12';

/**
 * Name of a table's search index. No other table ends like this: SQLite creates `<name>_data` and others for
 * each index.
 */
export function toWordsTable(table: string): string {
  const name = `${START}${table}${END}`;
  // The trigger's name is longer by five characters.
  if (name.length + TRIGGER_END.length <= NAME_CHARACTERS) return name;
  return `${START}${table.slice(0, 30)}_${createHash('sha256').update(table).digest('hex').slice(0, 8)}${END}`;
}

/** True for a search index, and for the tables that SQLite creates for it. */
export const isWordsTable = (name: string): boolean => name.startsWith(START);

/** The indexed columns of a table; undefined if none is searchable. */
export function toWordTarget({ name, primaryKey, words, markup = [] }: Table): WordTarget | undefined {
  const [primary] = primaryKey;
  if (words === undefined || words.length === 0 || primary === undefined) return undefined;
  const columns = words.map((column) => ({ name: column, isMarkup: markup.includes(column) }));
  return { table: name, primary, columns };
}

/** The indexed columns of a schema, shared by all callers; empty if none is searchable. */
export const getWordTarget = memoize(
  (schema: SchemaModel): WordTarget => ({
    table: schema.table,
    primary: schema.primary,
    columns: listWordColumns(schema),
  }),
);

/**
 * Creates a search index. On SQLite FTS5 stores neither text nor positions, and its tokenizer only splits at
 * the spaces that our code inserted. A trigger deletes the words of a deleted row, also after a cascade.
 */
export function createWordsSql({ table, primary }: Omit<WordTarget, 'columns'>, dialect: Dialect): string[] {
  const name = quote(toWordsTable(table));
  if (dialect === 'sqlite') {
    return [
      `create virtual table ${name} using fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii', prefix='${PREFIXES}')`,
      createTriggerSql(table, primary),
    ];
  }
  return [
    `create table ${name} (id bigint primary key references ${quote(table)} (${quote(primary)}) on delete cascade, words tsvector not null)`,
    `create index ${quote(`${toWordsTable(table)}${INDEX_END}`)} on ${name} using gin (words) with (gin_pending_list_limit = ${PENDING_KILOBYTES})`,
  ];
}

function createTriggerSql(table: string, primary: string): string {
  const [name, trigger] = [quote(toWordsTable(table)), quote(toWordsTable(table) + TRIGGER_END)];
  return `create trigger ${trigger} after delete on ${quote(table)} begin delete from ${name} where rowid = old.${quote(primary)}; end`;
}

/** SQLite: whether the words of a row that is deleted go with it. @param triggers The statements of its triggers. */
export const hasGoneTrigger = (index: string, triggers: readonly string[]): boolean =>
  triggers.some((text) => text.includes(index + TRIGGER_END));

/** Renames the search index with its table. */
export function renameWordsSql(
  was: string,
  { table, primary }: Omit<WordTarget, 'columns'>,
  dialect: Dialect,
): string[] {
  const [from, to] = [toWordsTable(was), toWordsTable(table)];
  const rename = `alter table ${quote(from)} rename to ${quote(to)}`;
  if (dialect === 'postgres') {
    return [rename, `alter index ${quote(from + INDEX_END)} rename to ${quote(to + INDEX_END)}`];
  }
  return [`drop trigger if exists ${quote(from + TRIGGER_END)}`, rename, createTriggerSql(table, primary)];
}

export function dropWordsSql(name: string, dialect: Dialect): string[] {
  if (dialect === 'postgres') return [`drop table ${quote(name)}`];
  return [`drop trigger if exists ${quote(name + TRIGGER_END)}`, `drop table ${quote(name)}`];
}

/** Columns and how their text is read, as recorded. */
export const describeWords = ({ columns }: Pick<WordTarget, 'columns'>): string =>
  columns
    .map(({ name, isMarkup }) => `${name}${isMarkup ? ' markup' : ''}`)
    .sort()
    .join(', ');

const SEAL_LETTERS = 12;

/**
 * Distinguishes words that were made of other columns, or in another way, from those of this target: whoever writes words also
 * says their seal.
 */
export const toSeal = memoize((target: WordTarget): string =>
  createHash('sha256')
    .update(`${WORDS_VERSION} ${describeWords(target)}`)
    .digest('hex')
    .slice(0, SEAL_LETTERS),
);

/** The seal among the words of a row on PostgreSQL. No search finds it: its words hold letters and digits alone. */
export const toMark = (seal: string): string => `#${seal}`;

/** No row has a lower id, nor this one. */
export const LEAST_ID = Number.MIN_SAFE_INTEGER;

/** Suffixes of what is made beside an index; SQLite itself uses others. */
const [DUE_END, PUT_END] = ['_due', '_put'];

/** The ids of the rows that were written without their words. */
export const toDueTable = (index: string): string => index + DUE_END;
/** SQLite: the view that words are written through. */
export const toPutView = (index: string): string => index + PUT_END;

/** The statement for many rows, or for a single row without the detour through JSON. A row with its words is due no more. */
function buildStatement(target: WordTarget, dialect: Dialect, isOne: boolean): string {
  const index = toWordsTable(target.table);
  const seal = toSeal(target);
  if (dialect === 'postgres') {
    return `with put as (insert into ${quote(index)} (id, words)
      select cast(item->>0 as bigint), array_to_tsvector(array(select jsonb_array_elements_text(item->1)) || '${toMark(seal)}'::text)
      from jsonb_array_elements(cast($1 as jsonb)) as item on conflict (id) do update set words = excluded.words returning id)
      delete from ${quote(toDueTable(index))} where id in (select id from put)`;
  }
  const put = `insert into ${quote(toPutView(index))} (id, words, seal)`;
  if (isOne) return `${put} values (?, ?, '${seal}')`;
  // FTS5 writes out all that it holds when a rowid is lower than the one before. The last words of a row count.
  return `${put} select value->>0, value->>1, '${seal}' from json_each(?) order by 1, key`;
}

const findStatements = memoize((_target: WordTarget) => new Map<string, CompiledQuery>());

function getStatement(target: WordTarget, dialect: Dialect, isOne: boolean): CompiledQuery {
  const known = findStatements(target);
  const kind = `${dialect} ${isOne ? 'one' : 'many'}`;
  const made = known.get(kind) ?? CompiledQuery.raw(buildStatement(target, dialect, isOne));
  known.set(kind, made);
  return made;
}

/**
 * Writes the words of rows, given with their primary key and all searchable columns, in one statement. Call
 * it in the transaction that writes the rows. Words of deleted rows are deleted automatically.
 */
export async function writeWords(database: Database, target: WordTarget, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0 || target.columns.length === 0) return;
  const { primary, columns } = target;
  const { dialect } = database;
  const isOne = rows.length === 1 && dialect === 'sqlite';
  const statement = getStatement(target, dialect, isOne);
  const listed = rows.map((row) => [Number(row[primary]), toRowWords(columns, row)] as const);
  const [first] = listed;
  if (isOne && first) {
    await database.run(statement, [first[0], first[1].join(' ')]);
    return;
  }
  const items = dialect === 'sqlite' ? listed.map(([id, words]) => [id, words.join(' ')]) : listed;
  await database.run(statement, [JSON.stringify(items)]);
}

const findParts = memoize((target: WordTarget) => ({ id, from }: WrittenRow) => {
  const mark = sql.lit(toMark(toSeal(target)));
  const words = sql`array_to_tsvector(array(select jsonb_array_elements_text(cast(${''} as jsonb))) || ${mark}::text)`;
  return sql`insert into ${sql.table(toWordsTable(target.table))} (id, words) select ${id}, ${words} ${from} on conflict (id) do update set words = excluded.words`;
});

const createCompanion = (target: WordTarget, dialect: Dialect): Companion => ({
  name: 'words',
  primary: target.primary,
  text: getStatement(target, dialect, false).sql,
  isLast: false,
  toSql: findParts(target),
  toValues(row) {
    const words = toRowWords(target.columns, row);
    return [dialect === 'sqlite' ? words.join(' ') : JSON.stringify(words)];
  },
});

const findCompanions = memoize(
  (target: WordTarget): Readonly<Record<Dialect, Companion>> => ({
    sqlite: createCompanion(target, 'sqlite'),
    postgres: createCompanion(target, 'postgres'),
  }),
);

/** What writes the words of a row with it; undefined if nothing is searchable. */
export const findWordsCompanion = (target: WordTarget, dialect: Dialect): Companion | undefined =>
  target.columns.length === 0 ? undefined : findCompanions(target)[dialect];
