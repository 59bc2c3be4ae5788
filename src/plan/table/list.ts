import type { TableColumn } from './column.ts';
import type { OwnTable } from './own-table.ts';

/** A list on a page, or the lines of a command. */
type ListKind = 'page' | 'line';

/** The columns that a list shows, by key, in their order. */
export function listTableColumns(
  { columns, order }: Pick<OwnTable, 'columns' | 'order'>,
  kind: ListKind,
): [string, TableColumn][] {
  const first = order?.[kind] ?? [];
  const rank = (key: string): number => (first.includes(key) ? first.indexOf(key) : first.length);
  return Object.entries(columns)
    .filter(([, { label, only }]) => label !== undefined && (only === undefined || only === kind))
    .sort(([one], [other]) => rank(one) - rank(other));
}

/** The cells of a command that lists rows, without its heading. @param own Cells that are not the value alone, by key. */
export const toTableCells = <Shown extends object>(
  table: OwnTable,
  rows: readonly Shown[],
  own: Readonly<Record<string, (row: Shown) => string>> = {},
): string[][] => {
  const columns = listTableColumns(table, 'line');
  return rows.map((row) => {
    const values = new Map<string, unknown>(Object.entries(row));
    return columns.map(([key, { print }]) => own[key]?.(row) ?? print(values.get(key)));
  });
};

/** The heading of {@link toTableCells}. */
export const toTableHead = (table: OwnTable): string[] =>
  listTableColumns(table, 'line').map(([, { label = '', line = label.toLowerCase() }]) => line);
