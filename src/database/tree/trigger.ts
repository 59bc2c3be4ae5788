import { createHash } from 'node:crypto';
import type { Dialect } from '../database.ts';
import { quote, toLiteral } from '../table-sql.ts';

/**
 * What lets the database itself refuse a row that would be below itself, whoever writes it: triggers that walk from the new parent
 * upwards. Each walk ends, also where the data hold a cycle already.
 */

/** A column of a table with the key of each row's parent. */
export interface TreeTarget {
  readonly table: string;
  readonly primary: string;
  readonly column: string;
}

const PREFIX = 'treadle_tree_';
/** Counted up when the triggers change, so that a migration makes them again. */
const VERSION = 1;

/** Begins the names of all that a tree has. It names the same columns in the same way, so that a renamed one is made again. */
export function toTreeKey({ table, primary, column }: TreeTarget): string {
  const text = JSON.stringify([VERSION, table, primary, column]);
  return PREFIX + createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** The ends of the names of a tree's triggers. */
const ENDS: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: ['_new', '_set'],
  postgres: ['_new', '_set', '_all'],
};
const KEYS = new RegExp(`${PREFIX}[0-9a-f]{16}(?=_(?:new|set|all)\\b)`, 'g');

/** The keys of the trees of a table. @param triggers The statements of its triggers. */
export const listTreeKeys = (triggers: readonly string[]): Set<string> =>
  new Set(triggers.flatMap((text) => text.match(KEYS) ?? []));

/** True if a table has all triggers of a tree. */
export const hasTree = (key: string, triggers: readonly string[], dialect: Dialect): boolean =>
  ENDS[dialect].every((end) => triggers.some((text) => text.includes(key + end)));

/** True for the statement of a trigger of a tree. */
export const isTreeTrigger = (text: string): boolean => /^create trigger "?treadle_tree_[0-9a-f]{16}_/i.test(text);

/** The keys of the new parent and of all rows above it, as the table `treadle_up`. */
function walkUp({ primary, column }: TreeTarget, from: string): string {
  const [key, parent] = [`t.${quote(primary)}`, `t.${quote(column)}`];
  return `with recursive treadle_up(id) as (select new.${quote(column)} union select ${parent} from treadle_up cross join ${from} as t where ${key} = treadle_up.id and ${parent} is not null)`;
}

/** A new row is above another only if that one names it already, as rows of one statement can. */
const isNamed = ({ primary, column }: TreeTarget, from: string): string =>
  `new.${quote(column)} = new.${quote(primary)} or exists (select 1 from ${from} as t where t.${quote(column)} = new.${quote(primary)})`;

function createSqliteSql(target: TreeTarget): string[] {
  const { table, primary, column } = target;
  const [key, own, from] = [toTreeKey(target), quote(column), quote(table)];
  const message = toLiteral(`TREE constraint failed: ${table}.${column}`);
  const refuse = `begin select raise(abort, ${message}) where exists (${walkUp(target, from)} select 1 from treadle_up where id = new.${quote(primary)}); end`;
  return [
    `create trigger ${quote(`${key}_new`)} after insert on ${from} when new.${own} is not null and (${isNamed(target, from)}) ${refuse}`,
    `create trigger ${quote(`${key}_set`)} after update of ${own} on ${from} when new.${own} is not null and new.${own} is not old.${own} ${refuse}`,
  ];
}

/**
 * PostgreSQL: moves in one table take turns, and each walks in a new statement, which sees the moves before it. They wait before
 * their statement locks a row, so that two transactions of several moves do not wait for each other. A transaction with an older
 * snapshot locks the rows of its walk: if one of them has changed since, it ends as one that must be repeated.
 */
function createPostgresSql(target: TreeTarget, schema: string): string[] {
  const { table, primary, column } = target;
  const [key, own] = [toTreeKey(target), quote(column)];
  const from = `${quote(schema)}.${quote(table)}`;
  const place = `${quote(schema)}.${quote(key)}`;
  const lock = `perform pg_advisory_xact_lock(hashtextextended('treadle::tree:' || tg_relid::text, 0))`;
  const body = `begin
  if tg_level = 'STATEMENT' then
    ${lock};
    return null;
  end if;
  if tg_op = 'INSERT' then
    if not (${isNamed(target, from)}) then return null; end if;
  else
    ${lock};
    if current_setting('transaction_isolation') <> 'read committed' then
      perform 1 from ${from} as t where t.${quote(primary)} in (${walkUp(target, from)} select id from treadle_up) for share;
    end if;
  end if;
  if exists (${walkUp(target, from)} select 1 from treadle_up where id = new.${quote(primary)}) then
    raise exception 'a row would be below itself' using errcode = '23514', table = tg_table_name, column = ${toLiteral(column)}, constraint = ${toLiteral(key)};
  end if;
  return null;
end`;
  const run = `for each row when (new.${own} is not null`;
  return [
    `create or replace function ${place}() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as ${toLiteral(body)}`,
    `create trigger ${quote(`${key}_new`)} after insert on ${quote(table)} ${run}) execute function ${place}()`,
    `create trigger ${quote(`${key}_set`)} after update on ${quote(table)} ${run} and new.${own} is distinct from old.${own}) execute function ${place}()`,
    `create trigger ${quote(`${key}_all`)} before update of ${own} on ${quote(table)} for each statement execute function ${place}()`,
  ];
}

/** @param schema The schema of PostgreSQL. */
export const createTreeSql = (target: TreeTarget, dialect: Dialect, schema: string): string[] =>
  dialect === 'sqlite' ? createSqliteSql(target) : createPostgresSql(target, schema);

/** Drops what a tree has. */
export const dropTreeSql = (key: string, dialect: Dialect): string[] =>
  dialect === 'sqlite'
    ? ENDS.sqlite.map((end) => `drop trigger if exists ${quote(key + end)}`)
    : [`drop function if exists ${quote(key)}() cascade`];

/** True for the constraint that PostgreSQL names when it refuses a row of a tree. */
export const isTreeConstraint = (name: string | undefined): boolean => name?.startsWith(PREFIX) === true;
