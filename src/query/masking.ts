import { sql } from 'kysely';
import type { Dialect } from '../database/database.ts';
import type { Fragment } from './operator.ts';
import { type RowTest, type Sight, toMask } from './predicate.ts';
import type { Source, SourceColumn } from './source.ts';

/** What the columns of a statement are masked by: some rows show a column, and others do not. */
export interface Masking {
  readonly source: Source;
  readonly rows: RowTest | undefined;
  readonly sight: Sight;
  readonly dialect: Dialect;
}

/**
 * Tests whether a row shows a column; undefined if every row does. A row without a 1:1 row hides nothing of it: there its
 * columns are null.
 */
export function findMask(
  { alias, column }: SourceColumn,
  { source, rows, sight, dialect }: Masking,
): Fragment | undefined {
  const join = alias === 't' ? undefined : source.joins.find((entry) => entry.alias === alias);
  if (join === undefined) return toMask(rows, column, dialect);
  const key = sql`${sql.ref(`${alias}.${join.primary}`)}`;
  const mask = toMask(sight.get(join.schema), column, dialect, key);
  return mask && sql`(${key} is null or ${mask})`;
}

/** The column's value, or null in rows that do not show it. */
export function toShown(column: SourceColumn, ref: Fragment, masking: Masking): Fragment {
  const mask = findMask(column, masking);
  return mask === undefined ? ref : sql`case when ${mask} then ${ref} end`;
}

/** For each column that some rows hide, one value where a row shows it and another where it does not. */
export function listMasked(
  columns: readonly SourceColumn[],
  masking: Masking,
  toTexts: (name: string) => readonly [shown: string, hidden: string],
): Fragment[] {
  return columns.flatMap((column) => {
    const mask = findMask(column, masking);
    if (mask === undefined) return [];
    const [shown, hidden] = toTexts(column.name);
    return [sql`case when ${mask} then ${sql.lit(shown)} else ${sql.lit(hidden)} end`];
  });
}
