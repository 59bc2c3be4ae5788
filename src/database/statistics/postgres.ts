import { CompiledQuery } from 'kysely';
import type { Database } from '../database.ts';
import { quote } from '../table-sql.ts';
import type { TableStatistics } from './rule.ts';

const TABLES = CompiledQuery.raw(`select c.relname::text as name, greatest(c.reltuples, 0)::bigint as rows,
    coalesce(s.n_mod_since_analyze, 0) as written,
    extract(epoch from greatest(s.last_analyze, s.last_autoanalyze))::bigint as at
  from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not exists
    (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by c.relname`);

/** What the server says of its tables. Its counts of writes come up to a second late. */
export async function readPostgresStatistics(database: Database): Promise<readonly TableStatistics[]> {
  return (await database.run(TABLES)).map((row) => ({
    table: String(row.name),
    rows: Number(row.rows),
    at: row.at === null ? undefined : Number(row.at),
    written: Number(row.written),
  }));
}

/** The server skips a table of another owner, with a warning of its own. */
export async function analyzeOnPostgres(database: Database, table: string): Promise<void> {
  await database.run(CompiledQuery.raw(`analyze ${quote(table)}`));
}
