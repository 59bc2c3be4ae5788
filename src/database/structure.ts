import type { TableIndex, TableReference } from './table.ts';

export interface ActualColumn {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** SQL text of the default, as the database stores it. */
  readonly default: string | undefined;
  readonly references: TableReference | undefined;
  /** Name of the foreign key constraint, if the dialect drops it by name. */
  readonly key?: string;
}

export interface ActualIndex extends TableIndex {
  /** The statement that recreates it; undefined if it is part of the table's definition. */
  readonly sql: string | undefined;
  /** How the database keeps the rule of `exclude` that it belongs to; absent for any other index. */
  readonly isExclusion?: 'trigger' | 'constraint';
  /** True if a trigger of the rule is missing. */
  readonly isBroken?: true;
}

/** An existing table. */
export interface ActualTable {
  readonly name: string;
  readonly columns: ReadonlyMap<string, ActualColumn>;
  readonly primaryKey: readonly string[];
  readonly isCounting: boolean;
  readonly indexes: ReadonlyMap<string, ActualIndex>;
  /** Trigger statements, to be recreated when the table is rebuilt. */
  readonly triggers: readonly string[];
  /** Generated columns. On SQLite they are not among {@link columns}. */
  readonly generated?: ReadonlySet<string>;
  /** While a migration is planned: the columns that the database computes, which are then not among {@link columns}, and their indexes. */
  readonly computed?: { readonly columns: readonly string[]; readonly indexes: readonly string[] };
}

export interface Structure {
  readonly tables: ReadonlyMap<string, ActualTable>;
  /** Changes with every change of the structure. */
  readonly checksum: string;
}

const ONLY = /\)\s*where\s+\(*\s*"?(\w+)"?\s*=\s*1\s*\)*(?:\s*and\s*\(*\s*"?\1"?\s+is\s+not\s+null\s*\)*)?\s*$/i;

const WHERE = /\)\s*where\s+(.+)$/is;

/** The condition of a partial index: the column of one as Treadle makes for unique ones, or the text of another. */
export function readCondition(text: string | undefined): Pick<TableIndex, 'only' | 'where'> {
  if (text === undefined) return {};
  const only = ONLY.exec(text)?.[1];
  if (only !== undefined) return { only };
  const where = WHERE.exec(text)?.[1];
  return where === undefined ? {} : { where };
}

/** Rows by the table that they belong to. */
export function groupByTable<R extends { readonly tbl: string }>(rows: readonly R[]): Map<string, R[]> {
  const groups = new Map<string, R[]>();
  for (const row of rows) {
    const known = groups.get(row.tbl);
    if (known === undefined) groups.set(row.tbl, [row]);
    else known.push(row);
  }
  return groups;
}
