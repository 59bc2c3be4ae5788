import type { Database } from '../../database/database.ts';
import { findOnDelete } from '../../database/table.ts';
import type { Model, RelationModel, SchemaModel } from '../../model/model.ts';
import { MOST_IDS } from './row-sql.ts';

/** A key by which rows, or the rows of a join table, refer to rows of a schema. */
export interface Dependent {
  readonly relation: RelationModel;
  /** The schema at the other end. */
  readonly schema: SchemaModel;
  /** The table with the foreign key. */
  readonly table: string;
  /** The foreign key to the deleted row. */
  readonly column: string;
  /** The id of the row at the other end. */
  readonly other: string;
  /** True if the deleted row is at the end that declares the relation. */
  readonly isSource: boolean;
  /** What a deletion does: it is refused, the rows at the other end go as well, or they lose their link. */
  readonly effect: 'refuse' | 'remove' | 'unlink';
}

function findEffect(relation: RelationModel): Dependent['effect'] {
  const rule = findOnDelete(relation);
  if (rule === 'restrict') return 'refuse';
  return rule === 'cascade' && relation.kind !== 'N:N' ? 'remove' : 'unlink';
}

/** All that refers to rows of a schema. */
export function listDependents(model: Model, schema: SchemaModel): Dependent[] {
  const dependents: Dependent[] = [];
  const add = (relation: RelationModel, isSource: boolean): void => {
    const { kind, table, sourceColumn = '', targetColumn = '' } = relation;
    const other = model.schemas.get(isSource ? relation.target : relation.source);
    // The child of a 1:N has the key, as the declaring row of a 1:1 and a 1:0 does.
    const hasKey = kind === 'N:N' || (kind === '1:N') === isSource;
    if (other === undefined || !hasKey) return;
    const [column, far] = isSource ? [sourceColumn, targetColumn] : [targetColumn, sourceColumn];
    const base = { relation, schema: other, table, column, isSource, effect: findEffect(relation) };
    dependents.push({ ...base, other: kind === 'N:N' ? far : other.primary });
  };
  for (const relation of schema.reverse) add(relation, false);
  for (const relation of schema.relations) add(relation, true);
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
