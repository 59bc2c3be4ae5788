import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';
import { type Conversion, createChange } from './convert.ts';
import { type BlockingRows, NAMED_ROWS, type RowId } from './count.ts';

/** A column of a unique index, by its present name. */
export interface SharedColumn {
  readonly name: string;
  readonly conversion: Conversion | undefined;
  /** The value of rows that have none; undefined if they stay without one. */
  readonly fill: string | number | undefined;
}

export interface SharedQuery {
  readonly table: string;
  readonly key: string;
  readonly columns: readonly SharedColumn[];
  /** Only rows with 1 in this column count. */
  readonly only: string | undefined;
}

/** Rows per batch. */
const BATCH_ROWS = 1000;
/** Longer keys are kept as a digest. */
const KEY_CHARACTERS = 64;

const toKey = (values: readonly unknown[]): string => {
  const text = JSON.stringify(values);
  return text.length <= KEY_CHARACTERS ? text : createHash('sha256').update(text).digest('base64');
};

interface KeyRow {
  readonly id: RowId;
  /** The values of the columns. */
  readonly [column: `v${number}`]: string | number | null;
}

async function* readRows(database: Database, { table, key, columns, only }: SharedQuery) {
  const list = columns.map(({ name }, index): RawBuilder<unknown> => sql`${sql.ref(name)} as ${sql.ref(`v${index}`)}`);
  const counted = only === undefined ? sql`` : sql`${sql.ref(only)} = 1 and `;
  for (let last: unknown; ; ) {
    const after = last === undefined ? sql`true` : sql`${sql.ref(key)} > ${last}`;
    const { rows } = await sql<KeyRow>`select ${sql.ref(key)} as id, ${sql.join(list)}
      from ${sql.table(table)} where ${counted}${after} order by ${sql.ref(key)} limit ${BATCH_ROWS}`.execute(
      database.kysely,
    );
    yield* rows;
    if (rows.length < BATCH_ROWS) return;
    last = rows.at(-1)?.id;
  }
}

/** The rows that will share their values with another, once values are converted. Null is never equal. */
export async function findSharedAfter(database: Database, query: SharedQuery): Promise<BlockingRows> {
  const changes = query.columns.map(({ conversion }) => conversion && createChange(conversion));
  /** The only row so far with these values; null if several have them. */
  const seen = new Map<string, RowId | null>();
  const ids: RowId[] = [];
  let count = 0;
  const note = (id: RowId): void => {
    count += 1;
    ids.push(id);
  };
  for await (const row of readRows(database, query)) {
    const values: unknown[] = [];
    for (const [index, { fill }] of query.columns.entries()) {
      const former = row[`v${index}`] ?? null;
      const change = changes[index];
      values.push((change === undefined ? former : await change(former)) ?? fill ?? null);
    }
    if (values.includes(null)) continue;
    const key = toKey(values);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, row.id);
    else {
      if (first !== null) note(first);
      note(row.id);
      seen.set(key, null);
    }
  }
  const sorted = ids.sort((a, b) => Number(a) - Number(b) || (String(a) < String(b) ? -1 : 1));
  return { count, ids: sorted.slice(0, NAMED_ROWS) };
}
