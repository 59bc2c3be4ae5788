import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { TableReference } from './table.ts';

interface CountRow {
  readonly n: number | string;
}

/** Counts the rows that stand in a change's way. */
export class RowCounter {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async #count(query: ReturnType<typeof sql<CountRow>>): Promise<number> {
    const { rows } = await query.execute(this.#database.kysely);
    return Number(rows[0]?.n ?? 0);
  }

  rows(table: string): Promise<number> {
    return this.#count(sql<CountRow>`select count(*) as n from ${sql.table(table)}`);
  }

  nulls(table: string, column: string): Promise<number> {
    return this.#count(sql<CountRow>`select count(*) as n from ${sql.table(table)} where ${sql.ref(column)} is null`);
  }

  values(table: string, column: string): Promise<number> {
    return this.#count(
      sql<CountRow>`select count(*) as n from ${sql.table(table)} where ${sql.ref(column)} is not null`,
    );
  }

  /** Rows that share their values with another; null is never shared. */
  duplicates(table: string, columns: readonly string[]): Promise<number> {
    const refs = columns.map((column) => sql.ref(column));
    const present = sql.join(
      refs.map((ref) => sql`${ref} is not null`),
      sql` and `,
    );
    return this.#count(sql<CountRow>`select coalesce(sum(c), 0) as n from (select count(*) as c from
      ${sql.table(table)} where ${present} group by ${sql.join(refs)} having count(*) > 1) as d`);
  }

  /** Rows whose key leads to no row. */
  orphans(table: string, column: string, target: TableReference): Promise<number> {
    const key = sql.ref(`${table}.${column}`);
    return this.#count(sql<CountRow>`select count(*) as n from ${sql.table(table)} where ${key} is not null and not exists
      (select 1 from ${sql.table(target.table)} as target where target.${sql.ref(target.column)} = ${key})`);
  }
}
