import type { Database } from '../database/database.ts';
import { listLinkKeys } from '../model/link-keys.ts';
import type { Model, RelationModel, SchemaModel } from '../model/model.ts';

/** A relation's ids in a file. */
export interface ListColumn {
  readonly key: string;
  readonly relation: RelationModel;
}

export const listLists = (schema: SchemaModel): ListColumn[] =>
  schema.relations.flatMap((relation) => {
    const [key] = listLinkKeys(schema, relation);
    return relation.kind === 'N:N' && key !== undefined ? [{ key, relation }] : [];
  });

export interface LinkReading {
  readonly model: Model;
  readonly database: Database;
  readonly schema: SchemaModel;
  /** Whether removed rows are named too. */
  readonly hasRemoved: boolean;
  /** Filters the ids of a schema to those that may be seen. Default: all may. */
  readonly see?: (schema: string, ids: readonly number[]) => Promise<ReadonlySet<number>>;
}

/** Adds the ids of an N:N relation to rows; those of removed rows only if removed rows are read. */
export async function addLinkIds(
  rows: readonly Record<string, unknown>[],
  { key, relation }: ListColumn,
  { database, schema, model, hasRemoved, see }: LinkReading,
): Promise<void> {
  const { table, sourceColumn = '', targetColumn = '' } = relation;
  const byId = new Map<number, number[]>();
  for (const row of rows) {
    const ids: number[] = [];
    byId.set(Number(row[schema.primary]), ids);
    row[key] = ids;
  }
  if (byId.size === 0) return;
  const target = model.schemas.get(relation.target);
  let query = database.kysely
    .selectFrom(table)
    .select([`${table}.${sourceColumn} as source`, `${table}.${targetColumn} as target`])
    .where(`${table}.${sourceColumn}`, 'in', [...byId.keys()])
    .orderBy('source')
    .orderBy('target');
  if (target?.active !== undefined && !hasRemoved) {
    const { active, primary } = target;
    query = query
      .innerJoin(`${target.table} as treadle_target`, `treadle_target.${primary}`, `${table}.${targetColumn}`)
      .where(`treadle_target.${active}`, '=', 1);
  }
  const links = (await query.execute()).map(({ source, target: id }) => ({ source: Number(source), id: Number(id) }));
  const seen = await see?.(relation.target, [...new Set(links.map(({ id }) => id))]);
  for (const { source, id } of links) if (seen === undefined || seen.has(id)) byId.get(source)?.push(id);
}
