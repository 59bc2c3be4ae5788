import { CompiledQuery } from 'kysely';
import type { Database } from '../database.ts';
import type { TableColumn, TableReference } from '../table.ts';
import { quote } from '../table-sql.ts';
import type { ArchiveTable } from './shape.ts';

/** Describes a row with a dangling foreign key; undefined if every key has its row. */
export async function findOrphan(
  database: Database,
  table: ArchiveTable,
  { name, references }: TableColumn & { readonly references: TableReference },
): Promise<string | undefined> {
  const keys = table.primaryKey.map((key) => `child.${quote(key)}`);
  const column = `child.${quote(name)}`;
  const text = `select ${[...keys, column].join(', ')} from ${quote(table.name)} as child where ${column} is not null
    and not exists (select 1 from ${quote(references.table)} as parent where parent.${quote(references.column)} = ${column}) limit 1`;
  const [row] = await database.run(CompiledQuery.raw(text));
  if (row === undefined) return undefined;
  const key = table.primaryKey.map((primary) => `${primary} ${String(row[primary])}`).join(', ');
  return `The row of ${table.name} with ${key} has ${name} ${String(row[name])}, a row of ${references.table}`;
}
