import { type Kysely, sql } from 'kysely';
import type { Row } from './database.ts';
import type { ActualColumn, ActualTable } from './structure.ts';
import type { Table } from './table.ts';
import { createTableSql, quote } from './table-sql.ts';

/** A column that the model does not name: it stays as it is, but no longer asks for a value. */
function keepColumn({ name, type, default: value, references }: ActualColumn): string {
  const rule =
    references === undefined
      ? ''
      : ` references ${quote(references.table)}${references.column === '' ? '' : ` (${quote(references.column)})`} on delete ${references.onDelete}`;
  return `${quote(name)} ${type}${value === undefined ? '' : ` default (${value})`}${rule}`;
}

/**
 * SQLite cannot change a column in place: a new table is made, filled, and takes the old one's name. Columns that are
 * added by steps before this one are copied too. Runs with foreign keys off, for dropping a table removes what leads
 * to it. @see https://www.sqlite.org/lang_altertable.html section 7
 */
export function rebuildSql(table: Table, actual: ActualTable, kysely: Kysely<Record<string, Row>>): string[] {
  const temporary = `treadle_new_${table.name}`;
  const named = new Set(table.columns.map(({ name }) => name));
  const extra = [...actual.columns.values()].filter(({ name }) => !named.has(name));
  const names = [...named, ...extra.map(({ name }) => name)].map(quote).join(', ');
  const value = (text: string): string => sql.lit(text).compile(kysely).sql;
  const counted = table.isCounting
    ? [
        `delete from sqlite_sequence where name = ${value(temporary)}`,
        // Otherwise the numbers of removed rows at the end would be given again.
        `insert into sqlite_sequence (name, seq) select ${value(temporary)}, seq from sqlite_sequence where name = ${value(table.name)}`,
      ]
    : [];
  return [
    createTableSql(kysely, table, temporary),
    ...extra.map((column) => `alter table ${quote(temporary)} add column ${keepColumn(column)}`),
    `insert into ${quote(temporary)} (${names}) select ${names} from ${quote(table.name)}`,
    ...counted,
    `drop table ${quote(table.name)}`,
    `alter table ${quote(temporary)} rename to ${quote(table.name)}`,
    ...[...actual.indexes.values()].flatMap((index) => (index.sql === undefined ? [] : [index.sql])),
    ...actual.triggers,
  ];
}
