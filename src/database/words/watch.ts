import type { Dialect } from '../database.ts';
import { quote, toLiteral } from '../table-sql.ts';
import { LEAST_ID, toDueTable, toMark, toPutView, toSeal, toWordsTable, type WordTarget } from './word-table.ts';

/**
 * What lets the database itself notice a row that was written without its words: by a server of another version, which
 * does not know of the index or of one of its columns, or by another program. A trigger notes the row as due. Whoever writes
 * the words takes the note back, if he says the seal of the index.
 */

/** SQLite: triggers of the table and of the view. Five letters at most, as names are cut. */
const [NEW_END, SET_END, VIA_END] = ['_new', '_set', '_via'];

const toFunction = (index: string): string => toDueTable(index);

/** An index, and what else lets its words be of another version. */
export interface Watch {
  readonly target: WordTarget;
  /**
   * Further columns of which an earlier release writes words, also where their text stays the same. Undefined if no release
   * writes other words than these.
   */
  readonly others: readonly string[] | undefined;
}

/** The triggers of SQLite, as it stores them. */
function listSqliteTriggers({ target, others }: Watch): { readonly name: string; readonly text: string }[] {
  const { table, primary, columns } = target;
  const index = toWordsTable(table);
  const due = quote(toDueTable(index));
  const note = `insert or ignore into ${due} (id) values (new.${quote(primary)})`;
  const names = [...columns.map(({ name }) => name), ...(others ?? [])].map(quote);
  const isOther = names.map((name) => `new.${name} is not old.${name}`).join(' or ');
  const when = others === undefined ? ` when ${isOther}` : '';
  const toText = (end: string, rest: string): string => `CREATE TRIGGER ${quote(index + end)} ${rest}; end`;
  return [
    { name: index + NEW_END, text: toText(NEW_END, `after insert on ${quote(table)} begin ${note}`) },
    {
      name: index + SET_END,
      text: toText(SET_END, `after update of ${names.join(', ')} on ${quote(table)}${when} begin ${note}`),
    },
  ];
}

/** Writes the words of a row. Those of another index make it due, and those of this one take it off. */
function createPutSql(target: WordTarget): string[] {
  const index = toWordsTable(target.table);
  const put = quote(toPutView(index));
  const [due, seal] = [quote(toDueTable(index)), toLiteral(toSeal(target))];
  return [
    `create view ${put} as select 0 as id, '' as words, '' as seal`,
    `create trigger ${quote(index + VIA_END)} instead of insert on ${put} begin
      insert or replace into ${quote(index)} (rowid, words) values (new.id, new.words);
      insert or ignore into ${due} (id) select new.id where new.seal <> ${seal};
      delete from ${due} where id = new.id and new.seal = ${seal}; end`,
  ];
}

const dropSqliteSql = (index: string): string[] => [
  ...[NEW_END, SET_END].map((end) => `drop trigger if exists ${quote(index + end)}`),
  `drop view if exists ${quote(toPutView(index))}`,
];

/**
 * PostgreSQL: before an update the words of the row go if its text changes; after it, a row without words is due. A statement
 * that writes row and words has both by then. Words of another seal make their row due, whenever they are written. An index
 * that an earlier release dropped is no error here, nor is a column that it renamed: it makes the index again.
 */
function createFunctionSql(target: WordTarget, schema: string): string {
  const { table, primary, columns } = target;
  const index = toWordsTable(table);
  const place = (name: string): string => `${quote(schema)}.${quote(name)}`;
  const names = [primary, ...columns.map(({ name }) => name)].map(toLiteral);
  const list = (row: string): string => `(${columns.map(({ name }) => `${row}.${quote(name)}`).join(', ')})`;
  const body = `begin
  if to_regclass(${toLiteral(place(index))}) is null then return new; end if;
  if TG_RELID = ${toLiteral(place(index))}::regclass then
    insert into ${place(toDueTable(index))} (id) values (new.id) on conflict do nothing;
    return null;
  end if;
  if (select count(*) from pg_attribute where attrelid = TG_RELID and attname in (${names.join(', ')})) < ${names.length} then
    return new;
  end if;
  if TG_WHEN = 'BEFORE' then
    if ${list('new')} is distinct from ${list('old')} then delete from ${place(index)} where id = new.${quote(primary)}; end if;
    return new;
  end if;
  if not exists (select 1 from ${place(index)} where id = new.${quote(primary)}) then
    insert into ${place(toDueTable(index))} (id) values (new.${quote(primary)}) on conflict do nothing;
  end if;
  return null;
end`;
  return `create or replace function ${place(toFunction(index))}() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as ${toLiteral(body)}`;
}

const TRIGGERS: readonly (readonly [string, string])[] = [
  [NEW_END, 'after insert or update'],
  [SET_END, 'before update'],
];

/**
 * SQLite: an id that no row has. An index that holds it, without words, is watched: triggers note each row that is written without
 * its words. An earlier release that makes the index again leaves the triggers of the table, but not this id. PostgreSQL does not
 * need it: the trigger on the index is dropped with the index.
 */
const MARK_ID = LEAST_ID;

const hasMark = (index: string): string => `exists (select 1 from ${quote(`${index}_docsize`)} where id = ${MARK_ID})`;

/** An SQL condition: whether the existing index is watched, so that its state is true. */
export function isMarkedSql(index: string, dialect: Dialect): string {
  if (dialect === 'sqlite') return hasMark(index);
  const [relation, trigger] = [toLiteral(quote(index)), toLiteral(index + VIA_END)];
  return `exists (select 1 from pg_catalog.pg_trigger where tgrelid = to_regclass(${relation}) and tgname = ${trigger})`;
}

/** Makes what notes the rows that are due, and replaces what an index of other columns had. */
export function watchWordsSql(watch: Watch, dialect: Dialect, schema: string): string[] {
  const { target } = watch;
  const index = toWordsTable(target.table);
  const due = quote(toDueTable(index));
  if (dialect === 'sqlite') {
    const triggers = listSqliteTriggers(watch).map(({ text }) => text);
    const make = `create table if not exists ${due} (id integer primary key)`;
    const mark = `insert into ${quote(index)} (rowid, words) select ${MARK_ID}, '' where not ${hasMark(index)}`;
    return [...dropSqliteSql(index), make, ...createPutSql(target), ...triggers, mark];
  }
  const run = `execute function ${quote(schema)}.${quote(toFunction(index))}()`;
  const toTrigger = (end: string, table: string, what: string): string[] => [
    `drop trigger if exists ${quote(index + end)} on ${quote(table)}`,
    `create trigger ${quote(index + end)} ${what} ${run}`,
  ];
  const isOther = `not (new.words @@ ${toLiteral(`'${toMark(toSeal(target))}'`)}::tsquery)`;
  return [
    `create table if not exists ${due} (id bigint primary key)`,
    createFunctionSql(target, schema),
    ...TRIGGERS.flatMap(([end, when]) =>
      toTrigger(end, target.table, `${when} on ${quote(target.table)} for each row`),
    ),
    ...toTrigger(VIA_END, index, `after insert or update on ${quote(index)} for each row when (${isOther})`),
  ];
}

/** Whether a table has the triggers. @param triggers Their statements, as the database has them. */
export function isWatched(watch: Watch, dialect: Dialect, triggers: readonly string[]): boolean {
  const { target } = watch;
  if (dialect === 'sqlite') return listSqliteTriggers(watch).every(({ text }) => triggers.includes(text));
  const index = toWordsTable(target.table);
  return TRIGGERS.every(([end]) => triggers.some((text) => text.includes(`${index}${end} `)));
}

/** Drops it, before its index. */
export function unwatchWordsSql(index: string, dialect: Dialect): string[] {
  const due = `drop table if exists ${quote(toDueTable(index))}`;
  if (dialect === 'sqlite') return [...dropSqliteSql(index), due];
  return [`drop function if exists ${quote(toFunction(index))}() cascade`, due];
}

/** Gives what notes the due rows the name of another index; the triggers are made again after it. */
export function moveWatchSql(from: string, to: string, dialect: Dialect): string[] {
  const move = `alter table ${quote(toDueTable(from))} rename to ${quote(toDueTable(to))}`;
  return dialect === 'sqlite'
    ? [...dropSqliteSql(from), move]
    : [`drop function if exists ${quote(toFunction(from))}() cascade`, move];
}

/** Notes the rows that have no words at all. */
export function listUnwordedSql({ table, primary }: WordTarget, dialect: Dialect): string {
  const index = toWordsTable(table);
  const words = quote(dialect === 'sqlite' ? `${index}_docsize` : index);
  return `insert into ${quote(toDueTable(index))} (id) select ${quote(primary)} from ${quote(table)} as t where not exists (select 1 from ${words} as w where w.id = t.${quote(primary)})`;
}
