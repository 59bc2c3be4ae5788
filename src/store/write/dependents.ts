import type { Database } from '../../database/database.ts';
import { toOnDelete } from '../../database/table.ts';
import type { Model, RelationModel, SchemaModel } from '../../model/model.ts';
import { MOST_IDS } from './row-sql.ts';

/** Rows that the database changes by itself as a row is deleted: they refer to it. */
export interface Dependent {
  readonly relation: RelationModel;
  /** The schema of the rows; undefined for those of a join table. */
  readonly holder: SchemaModel | undefined;
  /** The table with the foreign key. */
  readonly table: string;
  /** The foreign key to the deleted row. */
  readonly column: string;
  /** The id of the row at the other end. */
  readonly other: string;
  /** True if the deleted row is at the end that declares the relation. */
  readonly isSource: boolean;
}

/** True if the rows go with the deleted one; otherwise they lose their link to it. */
export const goesWith = ({ relation, holder }: Dependent): boolean =>
  holder !== undefined && toOnDelete(relation) === 'cascade';

/** What refers to rows of a schema and does not keep them from being deleted. */
export function listDependents(model: Model, schema: SchemaModel): Dependent[] {
  const dependents: Dependent[] = [];
  const add = (relation: RelationModel, isSource: boolean): void => {
    const { kind, table, sourceColumn = '', targetColumn = '' } = relation;
    if (toOnDelete(relation) === 'restrict') return;
    const [column, otherEnd] = isSource ? [sourceColumn, targetColumn] : [targetColumn, sourceColumn];
    if (kind === 'N:N')
      return void dependents.push({ relation, holder: undefined, table, column, other: otherEnd, isSource });
    // The child of a 1:N has the key, as the declaring row of the others does.
    if ((kind === '1:N') !== isSource) return;
    const holder = model.schemas.get(isSource ? relation.target : relation.source);
    if (holder !== undefined) dependents.push({ relation, holder, table, column, other: holder.primary, isSource });
  };
  for (const relation of schema.relations) add(relation, true);
  for (const relation of schema.reverse) add(relation, false);
  return dependents;
}

/** The ends of the links from these rows: the id of the row that is deleted, and that of the other one. */
export async function findEnds(
  { kysely }: Database,
  { table, column, other }: Dependent,
  ids: readonly number[],
): Promise<readonly (readonly [deleted: number, other: number])[]> {
  const ends: (readonly [number, number])[] = [];
  for (let start = 0; start < ids.length; start += MOST_IDS) {
    const query = kysely.selectFrom(table).select([`${column} as deleted`, `${other} as other`]);
    const rows = await query
      .where(column, 'in', ids.slice(start, start + MOST_IDS))
      .orderBy(other)
      .execute();
    for (const row of rows) ends.push([Number(row.deleted), Number(row.other)]);
  }
  return ends;
}
