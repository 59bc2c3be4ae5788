import type { Database, Row } from '../../database/database.ts';
import type { SchemaModel } from '../../model/model.ts';

/** What of the tables' rules a write broke, as the database tells it in a DATABASE_CONSTRAINT's detail. */
export interface ConstraintDetail {
  readonly kind: 'unique' | 'notnull' | 'foreign' | 'check';
  readonly columns: readonly string[];
}

/** Inserts a row and gives its id. */
export async function insertRow(database: Database, { table, primary }: SchemaModel, row: Row): Promise<number> {
  const insert = database.kysely.insertInto(table);
  const filled = Object.keys(row).length === 0 ? insert.defaultValues() : insert.values(row);
  const { [primary]: id } = await filled.returning(primary).executeTakeFirstOrThrow();
  return Number(id);
}

/** Changes a row; false where it is not there any more. */
export async function updateRow(database: Database, schema: SchemaModel, id: number, row: Row): Promise<boolean> {
  if (Object.keys(row).length === 0) return true;
  const update = database.kysely.updateTable(schema.table).set(row).where(schema.primary, '=', id);
  return (await update.executeTakeFirst()).numUpdatedRows > 0n;
}

export async function deleteRow(database: Database, { table, primary }: SchemaModel, id: number): Promise<boolean> {
  const removal = database.kysely.deleteFrom(table).where(primary, '=', id);
  return (await removal.executeTakeFirst()).numDeletedRows > 0n;
}

/** Some columns of a row, removed or not; undefined where there is none. */
export function readColumns(
  database: Database,
  schema: SchemaModel,
  by: { readonly column: string; readonly value: unknown },
  columns: readonly string[],
): Promise<Row | undefined> {
  return database.kysely
    .selectFrom(schema.table)
    .select([...columns])
    .where(by.column, '=', by.value)
    .executeTakeFirst();
}

/** Those of many values of a column that some row has, with the row's id: one statement for all, in parts of 500. */
export async function readIds(
  database: Database,
  { table, primary }: SchemaModel,
  column: string,
  values: readonly unknown[],
): Promise<Map<unknown, number>> {
  const found = new Map<unknown, number>();
  for (let start = 0; start < values.length; start += 500) {
    const rows = await database.kysely
      .selectFrom(table)
      .select([`${primary} as id`, `${column} as value`])
      .where(column, 'in', values.slice(start, start + 500))
      .execute();
    for (const row of rows) found.set(row.value, Number(row.id));
  }
  return found;
}

/** Adds a row of a join table; false where it was there already. */
export async function insertLink(database: Database, table: string, row: Row): Promise<boolean> {
  const insert = database.kysely.insertInto(table).values(row);
  const result = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Removes rows of a join table; gives how many. */
export async function deleteLinks(database: Database, table: string, row: Row): Promise<number> {
  let removal = database.kysely.deleteFrom(table);
  for (const [column, value] of Object.entries(row)) removal = removal.where(column, '=', value);
  return Number((await removal.executeTakeFirst()).numDeletedRows);
}

/** Clears a foreign key in the rows that match; gives how many. */
export async function clearKey(database: Database, table: string, column: string, matches: Row): Promise<number> {
  let update = database.kysely.updateTable(table).set({ [column]: null });
  for (const [name, value] of Object.entries(matches)) update = update.where(name, '=', value);
  return Number((await update.executeTakeFirst()).numUpdatedRows);
}
