import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from './database.ts';

export type BoundType = 'text' | 'bigint';

/**
 * A list bound as one JSON parameter, as a table with the column `value`: one statement serves every
 * length.
 */
export function listOf(dialect: Dialect, values: readonly (string | number)[]): RawBuilder<unknown> {
  const json = JSON.stringify(values);
  return dialect === 'postgres'
    ? sql`(select json_array_elements_text(${json}::json) as value)`
    : sql`json_each(${json})`;
}

/**
 * Rows bound as one JSON parameter, as a select of these columns in order. Texts must not contain NUL,
 * which PostgreSQL cannot store.
 */
export function rowsOf(
  dialect: Dialect,
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: Readonly<Record<string, BoundType>>,
): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  const names = Object.keys(columns);
  if (dialect === 'postgres') {
    const typed = Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
    const listed = sql.join(names.map((name) => sql.ref(name)));
    return sql`select ${listed} from json_to_recordset(${json}::json) as bound(${sql.join(typed)})`;
  }
  const listed = names.map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`);
  return sql`select ${sql.join(listed)} from json_each(${json}) where true`;
}
