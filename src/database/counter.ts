import { sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Moves a table's counter past its highest primary key, after rows with given keys were inserted: on
 * PostgreSQL the next row would otherwise get a used number. SQLite does this itself. Never moves it back.
 */
export async function advanceCounter(database: Database, table: string, primary: string): Promise<void> {
  if (database.dialect === 'sqlite') return;
  const name = sql`pg_get_serial_sequence(quote_ident(${table}), ${primary})`;
  const highest = sql`(select max(${sql.ref(primary)}) from ${sql.table(table)})`;
  await sql`select setval(counter.name, counter.highest)
    from (select cast(${name} as regclass) as name, ${highest} as highest) as counter
    where counter.name is not null and counter.highest > coalesce(pg_sequence_last_value(counter.name), 0)`.execute(
    database.kysely,
  );
}
