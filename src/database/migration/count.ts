import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { TableReference } from '../table.ts';

/** Maximum number of rows listed one by one; others are only counted. */
export const NAMED_ROWS = 20;

export type RowId = string | number;

/** Rows that block a change. */
export interface BlockingRows {
  readonly count: number;
  /** Primary keys of the first of them; empty for a composite key. */
  readonly ids: readonly RowId[];
}

interface CountRow {
  readonly n: number | string;
}

/** Counts the rows that block a change, and lists the first of them. */
export class RowCounter {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async #count(query: RawBuilder<CountRow>): Promise<number> {
    const { rows } = await query.execute(this.#database.kysely);
    return Number(rows[0]?.n ?? 0);
  }

  async #find(table: string, key: readonly string[], condition: RawBuilder<unknown>): Promise<BlockingRows> {
    const count = await this.#count(sql<CountRow>`select count(*) as n from ${sql.table(table)} where ${condition}`);
    const [column] = key;
    if (count === 0 || column === undefined || key.length > 1) return { count, ids: [] };
    const { rows } = await sql<{ id: RowId }>`select ${sql.ref(column)} as id from ${sql.table(table)}
      where ${condition} order by ${sql.ref(column)} limit ${NAMED_ROWS}`.execute(this.#database.kysely);
    return { count, ids: rows.map(({ id }) => id) };
  }

  rows(table: string): Promise<number> {
    return this.#count(sql<CountRow>`select count(*) as n from ${sql.table(table)}`);
  }

  nulls(table: string, column: string, key: readonly string[] = []): Promise<BlockingRows> {
    return this.#find(table, key, sql`${sql.ref(column)} is null`);
  }

  values(table: string, column: string, key: readonly string[] = []): Promise<BlockingRows> {
    return this.#find(table, key, sql`${sql.ref(column)} is not null`);
  }

  /** Counts values that differ from automatic ones such as the column's default. */
  given(table: string, column: string, except: readonly (string | number)[]): Promise<number> {
    const ref = sql.ref(column);
    const others = except.map((value) => sql` and ${ref} <> ${sql.lit(value)}`);
    return this.#count(
      sql<CountRow>`select count(*) as n from ${sql.table(table)} where ${ref} is not null${sql.join(others, sql``)}`,
    );
  }

  /** Counts rows that have a value, or that would get one in place of null. */
  filled(table: string, column: string, value: string | number, key: readonly string[]): Promise<BlockingRows> {
    const ref = sql.ref(column);
    return this.#find(table, key, sql`${ref} is null or ${ref} = ${sql.lit(value)}`);
  }

  /** Counts rows that share their values with another; null is never equal. */
  duplicates(
    table: string,
    columns: readonly string[],
    { key, only }: { readonly key: readonly string[]; readonly only: string | undefined },
  ): Promise<BlockingRows> {
    const refs = columns.map((column) => sql.ref(column));
    const present = sql.join(
      refs.map((ref) => sql`${ref} is not null`),
      sql` and `,
    );
    const list = sql.join(refs);
    const counted = only === undefined ? sql`` : sql`${sql.ref(only)} = 1 and `;
    return this.#find(
      table,
      key,
      sql`${counted}(${list}) in (select ${list} from ${sql.table(table)} where ${counted}${present} group by ${list} having count(*) > 1)`,
    );
  }

  /** Counts rows with a dangling foreign key. */
  orphans(table: string, column: string, target: Pick<TableReference, 'table' | 'column'>, key: readonly string[]) {
    const ref = sql.ref(`${table}.${column}`);
    return this.#find(
      table,
      key,
      sql`${ref} is not null and not exists
      (select 1 from ${sql.table(target.table)} as target where target.${sql.ref(target.column)} = ${ref})`,
    );
  }

  /** Whether any row has this value. */
  async has(table: string, column: string, value: string | number): Promise<boolean> {
    const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${value} limit 1`.execute(
      this.#database.kysely,
    );
    return rows.length > 0;
  }

  /** Counts rows still without a value after a copy is restored. */
  unrestored(table: string, key: readonly string[], copy: string): Promise<BlockingRows> {
    return this.#find(
      table,
      key,
      sql`not exists (select 1 from ${sql.table(copy)} as kept where kept.former is not null and ${joinKeys(table, key)})`,
    );
  }
}

/** `kept.key_1 = "table"."id" and …` */
function joinKeys(table: string, key: readonly string[]): RawBuilder<unknown> {
  return sql.join(
    key.map((column, index) => sql`${sql.ref(`kept.key_${index + 1}`)} = ${sql.ref(`${table}.${column}`)}`),
    sql` and `,
  );
}
