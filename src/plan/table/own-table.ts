import type { RawBuilder } from 'kysely';
import type { TableColumn } from './column.ts';

/** How a key of a search's stage compares: `in` with a list. */
export type FilterOperator = 'eq' | 'in' | 'lt' | 'gt' | 'gte';

/** A key of a search's stage that compares a column. */
export interface TableFilter {
  /** Key of the column. */
  readonly column: string;
  readonly operator: FilterOperator;
  /** What people choose it by. Default: the label of the column; without any they cannot. */
  readonly label?: string;
}

/** One of Treadle's own tables: from its columns and filters come its events, its list in the admin section and its command. */
export interface OwnTable {
  /** Such as `job`. */
  readonly name: string;
  /** Its name in the database. */
  readonly source: string;
  /** By key of an answer. */
  readonly columns: Readonly<Record<string, TableColumn>>;
  /** The column of the id, by which a search sorts, the highest first. */
  readonly key: string;
  /** By key of the search's stage. */
  readonly filters: Readonly<Record<string, TableFilter>>;
  /** Keys of columns in lists. Others with a label follow. Default: in the order of the columns. */
  readonly order?: { readonly page?: readonly string[]; readonly line?: readonly string[] };
  /** What rows are read from. Default: the table. */
  readonly from?: RawBuilder<unknown>;
  /** Name of the event that lists its rows. */
  readonly search: string;
}
