import { sql } from 'kysely';
import type { Database, Dialect, SystemTable } from '../../database/database.ts';
import type { CommitItem, Row, WrittenRow } from '../../database/row-statement.ts';

export const HISTORY = 'treadle_history';

/**
 * One change of a row or a definition. Every column and index costs a part of every write, so one JSON column has what no
 * index needs, and ids are the order in time.
 */
export const historyTable: SystemTable = {
  name: HISTORY,
  columns: [
    { name: 'history_id', type: 'id' },
    // A schema's name, or `schema/article` for a definition.
    { name: 'subject', type: 'text', isRequired: true },
    { name: 'row_id', type: 'integer' },
    { name: 'auth_id', type: 'integer' },
    { name: 'created_at', type: 'integer', isRequired: true },
    { name: 'entry', type: 'json', isRequired: true },
  ],
  indexes: [{ name: 'treadle_history_row', columns: ['subject', 'row_id'] }],
};

/**
 * A column's value before and after. Without the second, a long text that the next change or the row still has. Empty: a
 * secret, of which no value is kept.
 */
export type Pair = readonly [before: unknown, after: unknown] | readonly [before: unknown] | readonly [];
export type Changes = Readonly<Record<string, Pair>>;

/** How a change came in, as the entry keeps it. */
export interface Origin {
  readonly door: string;
  /** Method and path of a request, name of a job, words of a command. */
  readonly source?: string | undefined;
  /** `app_id`. */
  readonly app?: number | undefined;
  readonly address?: string | undefined;
  /** `X-Request-Id`. */
  readonly request?: string | undefined;
}

/** The JSON of an entry. */
export interface Entry extends Origin {
  readonly action: string;
  readonly changes?: Changes | undefined;
  /** The other row of a link, the counts of an import. */
  readonly details?: Row | undefined;
}

export interface NewEntry {
  readonly subject: string;
  readonly authId: number | undefined;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly entry: Entry;
}

const INTO = `insert into ${HISTORY} (row_id, subject, auth_id, created_at, entry)`;

/** The statements that insert the entries of a commit, each an item of a JSON array. */
export const ENTRY_TEXTS: Readonly<Record<Dialect, string>> = {
  sqlite: `${INTO} select value->>0, value->>1, value->>2, value->>3, value->4 from json_each(?)`,
  postgres: `${INTO} select (item->>0)::bigint, item->>1, (item->>2)::bigint, (item->>3)::bigint, item->4
    from jsonb_array_elements($1::text::jsonb) with ordinality as given(item, place) order by place`,
};

/** What an entry holds besides the row's id, in an item of {@link ENTRY_TEXTS}. */
export const toItemValues = ({ subject, authId, createdAt, entry }: NewEntry): unknown[] => [
  subject,
  authId ?? null,
  createdAt,
  entry,
];

/** The same as parameters of {@link insertWith}. */
export const toParameters = ({ subject, authId, createdAt, entry }: NewEntry): unknown[] => [
  subject,
  authId ?? null,
  createdAt,
  JSON.stringify(entry),
];

/** An entry as an item of the statement that inserts all entries of a commit. */
export const toEntryItem = (dialect: Dialect, made: NewEntry, rowId: number | undefined): CommitItem => ({
  text: ENTRY_TEXTS[dialect],
  item: [rowId ?? null, ...toItemValues(made)],
  isLast: true,
});

/** An entry as a part of the statement of PostgreSQL that changes its row. */
export const insertWith = ({ id, from }: WrittenRow) =>
  sql`${sql.raw(INTO)} select ${id}, ${''}::text, ${0}::bigint, ${0}::bigint, ${''}::text ${from}`;

/** Deletes the entries that are older, of the oldest so many. Gives how many it deleted. */
export async function deleteOld({ kysely }: Database, before: number, most: number): Promise<number> {
  const oldest = kysely.selectFrom(HISTORY).select(['history_id', 'created_at']).orderBy('history_id').limit(most);
  const old = (await oldest.execute()).filter(({ created_at }) => Number(created_at) < before);
  const last = old.at(-1);
  if (last === undefined) return 0;
  await kysely
    .deleteFrom(HISTORY)
    .where('history_id', '<=', last.history_id)
    .where('created_at', '<', before)
    .execute();
  return old.length;
}
