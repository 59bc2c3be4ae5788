import { CompiledQuery } from 'kysely';
import { WORDS_VERSION } from '../../model/split-words.ts';
import type { Dialect } from '../database.ts';
import type { Row } from '../row-statement.ts';
import { quote, toLiteral } from '../table-sql.ts';
import { isMarkedSql } from './watch.ts';
import { describeWords, toDueTable, toSeal, toWordsTable, type WordTarget } from './word-table.ts';

/** What each search index holds. The table `treadle_words` says the same to earlier versions, which do not read this one. */
export const WORDS_STATE = 'treadle_words_state';

/** What an index holds, as the database says. */
export interface WordsState {
  /** The columns, as `describeWords` has them. */
  readonly columns: string;
  readonly version: number;
  readonly seal: string;
  /** The rows up to this id have their words; undefined if all do. */
  readonly through: number | undefined;
  /** Unix seconds: when it was begun, or when words were last missing. Other versions may still write. */
  readonly since: number;
  /** Unix seconds: since when no field needs it; undefined if one does. */
  readonly unused: number | undefined;
}

export const createStateSql = (dialect: Dialect): string => {
  const number = dialect === 'sqlite' ? 'integer' : 'bigint';
  return `create table ${WORDS_STATE} (name text primary key not null, columns text not null, version integer not null, seal text not null, through ${number}, since ${number} not null, unused ${number})`;
};

export const toState = (row: Row): WordsState => ({
  columns: String(row.columns),
  version: Number(row.version),
  seal: String(row.seal),
  through: row.through === null ? undefined : Number(row.through),
  since: Number(row.since),
  unused: row.unused === null ? undefined : Number(row.unused),
});

/** The statement that records a state. */
export function saveStateSql(index: string, state: WordsState): string {
  const { columns, version, seal, through = null, since, unused = null } = state;
  const values = [index, columns, version, seal, through, since, unused].map(toLiteral).join(', ');
  const names = ['columns', 'version', 'seal', 'through', 'since', 'unused'];
  return `insert into ${WORDS_STATE} (name, ${names.join(', ')}) values (${values}) on conflict (name) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;
}

/** @param since Unix seconds; undefined if a field needs it again. */
export const markUnusedSql = (index: string, since: number | undefined): string =>
  `update ${WORDS_STATE} set unused = ${since ?? 'null'}${since === undefined ? '' : `, since = ${since}`} where name = ${toLiteral(index)}`;

export const forgetStateSql = (index: string): string => `delete from ${WORDS_STATE} where name = ${toLiteral(index)}`;

/** Whether a search can rely on an index, at this moment. */
export interface WordsLook {
  /** True if it holds the words of other columns, or not those of all rows yet. */
  readonly isBehind: boolean;
  /** True if it was built for these columns, so that what lacks can be added. */
  readonly isOwn: boolean;
  /** True if a row was written without its words. */
  readonly isDue: boolean;
  /** True if all rows have the words of these columns, and of others. */
  readonly isCovering: boolean;
  readonly since: number;
}

/** The statement that looks at an index. */
export function lookSql(target: WordTarget, dialect: Dialect): CompiledQuery {
  const index = toWordsTable(target.table);
  return CompiledQuery.raw(
    `select columns, version, seal, through, since, (select 1 from ${quote(toDueTable(index))} limit 1) as due, ${isMarkedSql(index, dialect)} as marked from ${WORDS_STATE} where name = ${toLiteral(index)}`,
  );
}

/** PostgreSQL answers with a boolean, SQLite with a number. */
const isYes = (value: unknown): boolean => value === true || Number(value) === 1;

export function toLook(target: WordTarget, row: Row | undefined): WordsLook {
  const isOwn = row?.seal === toSeal(target);
  // An earlier release may have made the index again, of its own columns.
  const isWhole = row?.through === null && isYes(row.marked);
  const there = new Set(String(row?.columns).split(', '));
  const isCovering =
    isWhole &&
    Number(row?.version) === WORDS_VERSION &&
    describeWords(target)
      .split(', ')
      .every((name) => there.has(name));
  return { isOwn, isBehind: !isOwn || !isWhole, isDue: row?.due != null, isCovering, since: Number(row?.since ?? 0) };
}
