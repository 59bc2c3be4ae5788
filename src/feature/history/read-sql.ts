import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { buildJsonText, withoutIndex } from '../../database/dialect-sql.ts';
import type { Row } from '../../database/row-statement.ts';
import { type Entry, HISTORY } from './sql.ts';

/** An entry as it is stored. */
export interface StoredEntry {
  readonly id: number;
  readonly subject: string;
  readonly rowId: number | undefined;
  readonly authId: number | undefined;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly entry: Entry;
}

export interface EntryFilter {
  /** Only these; undefined: all. */
  readonly subjects?: readonly string[] | undefined;
  /** All but these. */
  readonly hidden?: readonly string[] | undefined;
  readonly rowId?: number | undefined;
  readonly authId?: number | undefined;
  readonly app?: number | undefined;
  readonly door?: string | undefined;
  readonly action?: string | undefined;
  /** Unix seconds: from this on, and before that. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Only entries with a lower id. */
  readonly before?: number | undefined;
  /** Only entries with a higher id. */
  readonly after?: number | undefined;
  readonly limit: number;
}

const toNumber = (value: unknown): number | undefined =>
  value === null || value === undefined ? undefined : Number(value);

function toEntry({ history_id, subject, row_id, auth_id, created_at, entry }: Row): StoredEntry {
  return {
    id: Number(history_id),
    subject: String(subject),
    rowId: toNumber(row_id),
    authId: toNumber(auth_id),
    createdAt: Number(created_at),
    entry: (typeof entry === 'string' ? JSON.parse(entry) : entry) as Entry,
  };
}

/** The first id at or after a time, by halving: ids are in the order of time, and the time has no index. */
async function findFirstSince({ kysely }: Database, seconds: number): Promise<number> {
  const ends = kysely
    .selectFrom(HISTORY)
    .select((make) => [make.fn.min('history_id').as('first'), make.fn.max('history_id').as('last')]);
  const { first, last } = (await ends.executeTakeFirst()) ?? {};
  let [low, high] = [Number(first ?? 0), Number(last ?? 0) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const next = kysely.selectFrom(HISTORY).select(['history_id', 'created_at']).where('history_id', '>=', middle);
    const found = await next.orderBy('history_id').limit(1).executeTakeFirst();
    if (found === undefined || Number(found.created_at) >= seconds) high = middle;
    else low = Number(found.history_id) + 1;
  }
  return low;
}

type Query = SelectQueryBuilder<Record<string, Row>, string, Row>;

const toList = (names: readonly string[]) =>
  names.length === 0 ? sql`null` : sql.join(names.map((name) => sql`${name}`));

function addSubjects(query: Query, { dialect }: Database, { subjects, hidden = [], rowId }: EntryFilter): Query {
  if (subjects === undefined)
    return hidden.length === 0 ? query : query.where(sql<SqlBool>`subject not in (${toList(hidden)})`);
  // Without a row all entries of the subject would be sorted; this keeps to the order of ids.
  const subject = rowId === undefined ? withoutIndex(dialect, 'subject') : sql.ref('subject');
  return query.where(sql<SqlBool>`${subject} in (${toList(subjects)})`);
}

const isText = ({ dialect }: Database, key: 'door' | 'action' | 'app', value: string) =>
  sql<SqlBool>`${buildJsonText(dialect, 'entry', key)} = ${value}`;

/** Entries that match, newest first. */
export async function listEntries(database: Database, filter: EntryFilter): Promise<StoredEntry[]> {
  const { rowId, authId, app, door, action, since, until, before, after, limit } = filter;
  let query = addSubjects(database.kysely.selectFrom(HISTORY).selectAll() as unknown as Query, database, filter);
  if (rowId !== undefined) query = query.where('row_id', '=', rowId);
  if (authId !== undefined) query = query.where('auth_id', '=', authId);
  if (app !== undefined) query = query.where(isText(database, 'app', String(app)));
  if (door !== undefined) query = query.where(isText(database, 'door', door));
  if (action !== undefined) query = query.where(isText(database, 'action', action));
  if (since !== undefined) query = query.where('history_id', '>=', await findFirstSince(database, since));
  if (until !== undefined) query = query.where('history_id', '<', await findFirstSince(database, until));
  if (before !== undefined) query = query.where('history_id', '<', before);
  if (after !== undefined) query = query.where('history_id', '>', after);
  return (await query.orderBy('history_id', 'desc').limit(limit).execute()).map(toEntry);
}

export async function findEntry({ kysely }: Database, id: number): Promise<StoredEntry | undefined> {
  const row = await kysely.selectFrom(HISTORY).selectAll().where('history_id', '=', id).executeTakeFirst();
  return row && toEntry(row);
}
