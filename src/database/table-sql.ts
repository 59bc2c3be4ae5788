import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Row } from './database.ts';
import type { Table, TableColumn, TableIndex } from './table.ts';

type Build = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

/** Rules of a column besides its type. */
function toRules(column: TableColumn, table?: Table): Build {
  return (start) => {
    let built = start;
    const isKey = table?.primaryKey.length === 1 && table.primaryKey[0] === column.name;
    if (isKey) built = built.primaryKey();
    if (isKey && table?.isCounting) built = built.autoIncrement();
    if (column.isRequired && !(isKey && table?.isCounting)) built = built.notNull();
    if (column.default !== undefined) built = built.defaultTo(column.default);
    if (column.references === undefined) return built;
    const { table: target, column: key, onDelete } = column.references;
    return built.references(`${target}.${key}`).onDelete(onDelete);
  };
}

/** `create table`, under another name where one is given. */
export function createTableSql(kysely: Kysely<Record<string, Row>>, table: Table, name = table.name): string {
  const start = kysely.schema.createTable(name);
  const builder = table.columns.reduce(
    (built, column) => built.addColumn(column.name, sql.raw(column.type), toRules(column, table)),
    start as CreateTableBuilder<string, string>,
  );
  if (table.primaryKey.length <= 1) return builder.compile().sql;
  const [first = '', ...others] = table.primaryKey;
  return builder.addPrimaryKeyConstraint(`${table.name}_key`, [first, ...others]).compile().sql;
}

export function addColumnSql(kysely: Kysely<Record<string, Row>>, table: string, column: TableColumn): string {
  return kysely.schema.alterTable(table).addColumn(column.name, sql.raw(column.type), toRules(column)).compile().sql;
}

export function createIndexSql(kysely: Kysely<Record<string, Row>>, table: string, index: TableIndex): string {
  const builder = kysely.schema
    .createIndex(index.name)
    .on(table)
    .columns([...index.columns]);
  return (index.isUnique ? builder.unique() : builder).compile().sql;
}

export function dropIndexSql(kysely: Kysely<Record<string, Row>>, name: string): string {
  return kysely.schema.dropIndex(name).compile().sql;
}

/** An identifier as SQL writes it. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
