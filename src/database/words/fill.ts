import { toSeconds } from '../../core/clock.ts';
import type { Database } from '../database.ts';
import type { Row } from '../row-statement.ts';
import { runText } from '../run-text.ts';
import { quote, toLiteral } from '../table-sql.ts';
import { WORDS_STATE } from './state.ts';
import { LEAST_ID, toDueTable, toSeal, toWordsTable, type WordTarget, writeWords } from './word-table.ts';

/** Rows of one transaction. On SQLite others wait for it to write. */
const BATCH_ROWS = 500;
/** Characters of one transaction, whose words take some 0.3 s. */
const BATCH_CHARACTERS = 3_000_000;

const listNames = ({ primary, columns }: WordTarget): string =>
  [primary, ...columns.map(({ name }) => name)].map(quote).join(', ');

/** On PostgreSQL a row that another transaction changes is read as that leaves it. */
const toLock = ({ dialect }: Database): string => (dialect === 'sqlite' ? '' : ' for share');
const toSlot = ({ dialect }: Database): string => (dialect === 'sqlite' ? '?' : '$1');
const toNamed = (index: string, seal: string): string => `name = ${toLiteral(index)} and seal = ${toLiteral(seal)}`;

/** The first rows whose texts make one transaction; at least one. */
function cutTexts(rows: readonly Row[]): readonly Row[] {
  let characters = 0;
  const end = rows.findIndex((row) => {
    for (const value of Object.values(row)) characters += typeof value === 'string' ? value.length : 0;
    return characters > BATCH_CHARACTERS;
  });
  return end < 0 ? rows : rows.slice(0, end + 1);
}

/** The next rows by primary key. */
export function readNext(database: Database, target: WordTarget, last: number, lock = ''): Promise<Row[]> {
  const { table, primary } = target;
  const text = `select ${listNames(target)} from ${quote(table)} where ${quote(primary)} > ${toSlot(database)} order by ${quote(primary)} limit ${BATCH_ROWS}${lock}`;
  return runText(database, text, [last]);
}

/** Rows by primary key, those that exist. */
export function readRows(database: Database, target: WordTarget, ids: readonly number[], lock = ''): Promise<Row[]> {
  const { table, primary } = target;
  const { dialect } = database;
  const test =
    dialect === 'sqlite'
      ? 'in (select value from json_each(?))'
      : '= any(array(select cast(item as bigint) from json_array_elements_text(cast($1 as json)) as item))';
  const text = `select ${listNames(target)} from ${quote(table)} where ${quote(primary)} ${test}${lock}`;
  return runText(database, text, [JSON.stringify(ids)]);
}

/** The ids of rows that were written without their words, at most as many. */
export async function listDue(database: Database, target: WordTarget, most: number): Promise<number[]> {
  const due = quote(toDueTable(toWordsTable(target.table)));
  const rows = await runText(database, `select id from ${due} order by id limit ${most}`);
  return rows.map(({ id }) => Number(id));
}

/** Writes the words of rows that are due. @returns false if none was. */
async function fillDue(database: Database, target: WordTarget, now: number): Promise<boolean> {
  const index = toWordsTable(target.table);
  const seal = toSeal(target);
  const ids = await listDue(database, target, BATCH_ROWS);
  if (ids.length === 0) return false;
  return database.write(
    async () => {
      // The index may be of other columns by now; then its words are not for this version to write.
      const [state] = await runText(database, `select 1 as own from ${WORDS_STATE} where ${toNamed(index, seal)}`);
      if (state === undefined) return false;
      await writeWords(database, target, cutTexts(await readRows(database, target, ids, toLock(database))));
      // A row that is gone needs no words.
      const due = quote(toDueTable(index));
      const { table, primary } = target;
      await runText(
        database,
        `delete from ${due} where id in (${ids.join(', ')}) and not exists (select 1 from ${quote(table)} as t where t.${quote(primary)} = ${due}.id)`,
      );
      await runText(database, `update ${WORDS_STATE} set since = ${now} where ${toNamed(index, seal)}`);
      return true;
    },
    { isPatient: true },
  );
}

/** Goes on with an index that is being built. @returns false once all rows have their words. */
function fillNext(database: Database, target: WordTarget): Promise<boolean> {
  const index = toWordsTable(target.table);
  const named = toNamed(index, toSeal(target));
  return database.write(
    async () => {
      const [state] = await runText(database, `select through from ${WORDS_STATE} where ${named}`);
      if (state === undefined || state.through === null) return false;
      const rows = await readNext(database, target, Number(state.through), toLock(database));
      const some = cutTexts(rows);
      await writeWords(database, target, some);
      const isDone = rows.length < BATCH_ROWS && some.length === rows.length;
      const through = isDone ? 'null' : Number(some.at(-1)?.[target.primary]);
      await runText(database, `update ${WORDS_STATE} set through = ${through} where ${named}`);
      return !isDone;
    },
    { isPatient: true },
  );
}

/**
 * Writes the words of all rows that lack them, in short transactions: others read and write meanwhile, and whoever calls it
 * after an interruption goes on. Does nothing to an index of other columns.
 *
 * @param now Milliseconds since 1970.
 */
export async function fillWords(database: Database, target: WordTarget, now: number): Promise<void> {
  while (await fillNext(database, target));
  while (await fillDue(database, target, toSeconds(now)));
}

/** Begins the index from its first row again; {@link fillWords} does the rest. @returns false if it is not of these columns. */
export function refillWords(database: Database, target: WordTarget): Promise<boolean> {
  const named = toNamed(toWordsTable(target.table), toSeal(target));
  return database.write(async () => {
    const there = await runText(database, `select 1 as own from ${WORDS_STATE} where ${named}`);
    await runText(database, `update ${WORDS_STATE} set through = ${LEAST_ID} where ${named}`);
    return there.length > 0;
  });
}
