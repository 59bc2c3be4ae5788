import { CompiledQuery, type Expression, type RawBuilder, sql } from 'kysely';
import type { Database, Dialect } from './database.ts';

/** SQL that each dialect spells in its own way. */

/** The text under a key of a JSON object that both dialects store as text. @param key From code, never from a request. */
export function buildJsonText(dialect: Dialect, column: string, key: string): RawBuilder<unknown> {
  const json = dialect === 'postgres' ? sql`${sql.ref(column)}::jsonb` : sql.ref(column);
  return sql`cast((${json})->>${sql.lit(key)} as text)`;
}

/** A column that SQLite must not find by an index: the plus keeps it to the order of another one. PostgreSQL chooses by statistics. */
export const withoutIndex = (dialect: Dialect, column: string): Expression<unknown> =>
  dialect === 'sqlite' ? sql`+${sql.ref(column)}` : sql.ref(column);

interface Lanes {
  /** Gives the lanes as `l.value`. */
  readonly lanes: RawBuilder<unknown>;
  /** The ids of a lane's first rows, with `order by` and `limit`; it refers to `l.value`. */
  readonly first: RawBuilder<unknown>;
  /** Selects the id of a row that is taken. */
  readonly id: string;
  readonly table: string;
}

/**
 * Ids of the first rows of lanes. PostgreSQL skips rows that another process is taking, so that nobody waits. SQLite has no
 * lateral join and needs no locks.
 */
export function selectFirstOfLanes(dialect: Dialect, { lanes, first, id, table }: Lanes): RawBuilder<unknown> {
  return dialect === 'postgres'
    ? sql`select j.${sql.ref(id)} from ${lanes} l cross join lateral (${first} for update skip locked) j`
    : sql`select j.${sql.ref(id)} from ${lanes} l cross join ${sql.table(table)} j on j.${sql.ref(id)} in (${first})`;
}

/** Takes the next id of a table that counts them, for a row that is inserted later. Call it inside a write. */
export async function takeNextId({ dialect, kysely }: Database, table: string, column: string): Promise<number> {
  const one = async (query: RawBuilder<{ id: unknown }>): Promise<number | undefined> => {
    const { rows } = await query.execute(kysely);
    return rows[0] && Number(rows[0].id);
  };
  if (dialect === 'postgres')
    return Number(await one(sql`select nextval(pg_get_serial_sequence(${table}, ${column})) as id`));
  const counted = await one(sql`update sqlite_sequence set seq = seq + 1 where name = ${table} returning seq as id`);
  if (counted !== undefined) return counted;
  // SQLite counts from the first row on.
  return Number(await one(sql`insert into sqlite_sequence (name, seq) values (${table}, 1) returning seq as id`));
}

const SCHEMA = 'select sql from sqlite_schema where sql is not null order by type, name';
const SCHEMA_NOW = CompiledQuery.raw(
  `select (select schema_version from pragma_schema_version) as version, (select json_group_array(sql) from (${SCHEMA})) as text`,
);

/** The whole schema as one text, with its version of the same moment; undefined for PostgreSQL, which has no such text. */
export async function readSchemaText(
  database: Database,
): Promise<{ readonly version: string; readonly text: string } | undefined> {
  if (database.dialect !== 'sqlite') return undefined;
  const [row] = await database.run(SCHEMA_NOW);
  return { version: String(row?.version), text: String(row?.text) };
}

/**
 * About how many rows a large table has: on PostgreSQL by the statistics of its last analysis, on SQLite by the distance
 * of its first and last primary key, which counts removed rows in between.
 */
export async function estimateRows({ kysely, dialect }: Database, table: string, primary: string): Promise<number> {
  const { rows } =
    dialect === 'postgres'
      ? await sql<{ n: unknown }>`select reltuples::bigint as n from pg_class
          where oid = to_regclass(quote_ident(${table}))`.execute(kysely)
      : await sql<{ n: unknown }>`select (select max(${sql.ref(primary)}) from ${sql.table(table)})
          - (select min(${sql.ref(primary)}) from ${sql.table(table)}) + 1 as n`.execute(kysely);
  return Number(rows[0]?.n ?? 0);
}
