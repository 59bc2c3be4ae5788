import { toTableCells, toTableHead } from '../plan/table/list.ts';
import type { Application } from './application.ts';
import { toTable } from './terminal.ts';

/** How the lines of a list look. `cells`: those that are not the value alone, by key of the column. */
interface RowLines<Shown> {
  readonly cells?: Readonly<Record<string, (row: Shown) => string>>;
  /** Default false. */
  readonly hasHead?: boolean;
}

/** One line a row of one of Treadle's own tables, with the columns that it shows. */
export function toRowLines<Shown extends object>(
  { plan }: Pick<Application, 'plan'>,
  name: string,
  rows: readonly Shown[],
  { cells, hasHead = false }: RowLines<Shown> = {},
): string[] {
  const table = plan.ownTables.get(name);
  if (table === undefined) return [];
  return toTable([...(hasHead ? [toTableHead(table)] : []), ...toTableCells(table, rows, cells)]);
}
