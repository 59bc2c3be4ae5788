import type { Database } from '../../database/database.ts';
import { isRecord } from '../../model/json/json-value.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { FedRow } from '../../plan/emit/row-feed.ts';
import { findColumn } from '../../rows/column.ts';

/** Values of one query. */
const MOST_VALUES = 500;

interface Key {
  readonly column: string;
  readonly value: string | number;
}

/** What tells a row from others: its id, or its value of a unique column; undefined without either. */
function findKey(schema: SchemaModel, { values }: FedRow): Key | undefined {
  if (!isRecord(values)) return undefined;
  const byColumn = new Map(Object.entries(values).map(([name, value]) => [findColumn(schema, name) ?? name, value]));
  const unique = schema.columns.filter(({ isUnique }) => isUnique).map(({ name }) => name);
  for (const column of [schema.primary, ...unique]) {
    const value = byColumn.get(column);
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') return { column, value };
  }
  return undefined;
}

/** Leaves out the rows of a file that the table has, removed ones included. */
export class MissingRows {
  readonly #database: Database;
  readonly #schema: SchemaModel;
  #isEmpty: Promise<boolean> | undefined;
  /** Rows that were left out because the table has them. */
  known = 0;
  /** Rows with neither an id nor a unique value, left out because the table has rows. */
  untold = 0;

  constructor(database: Database, schema: SchemaModel) {
    this.#database = database;
    this.#schema = schema;
  }

  /** Whether the table had no row before the file. */
  #wasEmpty(): Promise<boolean> {
    const { table, primary } = this.#schema;
    this.#isEmpty ??= this.#database.kysely
      .selectFrom(table)
      .select(primary)
      .limit(1)
      .execute()
      .then((rows) => rows.length === 0);
    return this.#isEmpty;
  }

  async #findKnown(column: string, values: readonly (string | number)[]): Promise<Set<string>> {
    const known = new Set<string>();
    for (let start = 0; start < values.length; start += MOST_VALUES) {
      const part = values.slice(start, start + MOST_VALUES);
      const query = this.#database.kysely.selectFrom(this.#schema.table).select(column).where(column, 'in', part);
      for (const row of await query.execute()) known.add(String(row[column]));
    }
    return known;
  }

  async keep(batch: readonly FedRow[]): Promise<FedRow[]> {
    if (await this.#wasEmpty()) return [...batch];
    const keys = new Map(batch.map((row) => [row, findKey(this.#schema, row)] as const));
    const found = new Map<string, Set<string>>();
    for (const column of new Set([...keys.values()].flatMap((key) => (key ? [key.column] : [])))) {
      const values = [...keys.values()].flatMap((key) => (key?.column === column ? [key.value] : []));
      found.set(column, await this.#findKnown(column, values));
    }
    return batch.filter((row) => {
      // A row that cannot be read is refused by the import.
      if (row.error !== undefined) return true;
      const key = keys.get(row);
      if (key === undefined) this.untold += 1;
      else if (found.get(key.column)?.has(String(key.value))) this.known += 1;
      else return true;
      return false;
    });
  }
}
