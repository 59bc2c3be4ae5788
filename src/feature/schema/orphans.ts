import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { readStructure } from '../../database/read-structure.ts';
import type { ActualTable } from '../../database/structure.ts';
import { UPLOAD_PATH } from '../../model/field/file-type.ts';
import type { Files, StoredFile } from '../../project/file-store.ts';

/** Rows per read. */
const PAGE = 1000;
const NAME = new RegExp(`${UPLOAD_PATH}([A-Za-z0-9_-]{22}\\.[a-z0-9]{1,16})`, 'g');
/** Tables without stored values of rows: the search index, sessions, and the history of former values. */
const isLeftOut = (name: string): boolean =>
  name.startsWith('treadle_words') || name === 'treadle_session' || name === 'treadle_history';
const isTextual = (type: string): boolean => /text|char|json/i.test(type);

/**
 * Every upload name in any text column of a table: an address, a list of addresses, or a text that contains one.
 */
async function* readNames(database: Database, table: ActualTable): AsyncIterable<string> {
  const columns = [...table.columns.values()].filter(({ type }) => isTextual(type)).map(({ name }) => name);
  const [primary] = table.primaryKey;
  if (columns.length === 0) return;
  const key = primary === undefined || table.primaryKey.length > 1 ? undefined : sql.ref(primary);
  const parts = columns.map((name) => sql`coalesce(cast(${sql.ref(name)} as text), '')`);
  const text = sql.join(parts, sql` || ' ' || `);
  for (let after: unknown; ; ) {
    const found = sql`(${text}) like ${`%${UPLOAD_PATH}%`}`;
    const beyond = after === undefined || key === undefined ? sql`` : sql` and ${key} > ${after}`;
    const place = key === undefined ? sql`null` : key;
    const page = key === undefined ? sql`` : sql` order by ${key} limit ${PAGE}`;
    const query = sql<{ place: unknown; text: string }>`select ${place} as place, (${text}) as text from ${sql.table(
      table.name,
    )} where ${found}${beyond}${page}`;
    const { rows } = await query.execute(database.kysely);
    for (const row of rows) for (const [, name = ''] of String(row.text).matchAll(NAME)) yield name;
    if (key === undefined || rows.length < PAGE) return;
    after = rows.at(-1)?.place;
  }
}

/**
 * Stored files that no table refers to; copies made by migrations count as references. Young files are excluded,
 * because a row may be about to refer to them.
 *
 * @param before Milliseconds since 1970: files stored later are excluded.
 */
export async function findOrphans(files: Files, database: Database, before: number): Promise<StoredFile[]> {
  const left = new Map<string, StoredFile>();
  for await (const file of files.list()) if (file.savedAt <= before) left.set(file.name, file);
  if (left.size === 0) return [];
  for (const table of (await readStructure(database)).tables.values()) {
    if (isLeftOut(table.name)) continue;
    for await (const name of readNames(database, table)) left.delete(name);
  }
  return [...left.values()].sort((a, b) => a.savedAt - b.savedAt);
}
