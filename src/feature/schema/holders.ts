import type { Database, Row } from '../../database/database.ts';
import { toOnDelete } from '../../database/table.ts';
import type { Model, RelationModel, SchemaModel } from '../../model/model.ts';
import { countKeys } from './sql.ts';

/** Rows of one schema that lead to others, and keep those from being removed. */
interface Holder {
  readonly relation: RelationModel;
  /** The schema whose rows lead to the removed one. */
  readonly schema: SchemaModel;
  /** Table and column of the key that leads to it. */
  readonly table: string;
  readonly column: string;
}

/** By which relations rows of other schemas can keep a row of this one. */
function listHolders(model: Model, schema: SchemaModel): Holder[] {
  const holders: Holder[] = [];
  const add = (relation: RelationModel, name: string, column: string | undefined): void => {
    const other = model.schemas.get(name);
    if (column === undefined || !other || toOnDelete(relation) !== 'restrict') return;
    holders.push({ relation, schema: other, table: relation.table, column });
  };
  for (const relation of schema.reverse) {
    if (relation.kind !== '1:N') add(relation, relation.source, relation.targetColumn);
  }
  for (const relation of schema.relations) {
    if (relation.kind === '1:N' || relation.kind === 'N:N') add(relation, relation.target, relation.sourceColumn);
  }
  return holders;
}

export interface HolderOptions {
  readonly model: Model;
  readonly schema: SchemaModel;
  readonly database: Database;
  /**
   * `hard`: rows that the database itself would refuse for. `soft`: those of relations whose definition says
   * `restrict`, and of these only rows that are there; a 1:1 that says nothing does not keep a row from being removed softly.
   */
  readonly mode: 'hard' | 'soft';
}

/** Who still leads to a row, in words such as `2 Comments and 1 Article`; undefined where nobody does. */
export async function describeHolders(row: Row, options: HolderOptions): Promise<string | undefined> {
  const { model, schema, database, mode } = options;
  const found = new Map<SchemaModel, number>();
  for (const holder of listHolders(model, schema)) {
    const { relation, schema: other, table, column } = holder;
    if (mode === 'soft' && relation.definition.onRemove !== 'restrict') continue;
    const isJoin = relation.kind === 'N:N';
    const active = mode === 'soft' && !isJoin ? other.active : undefined;
    const count = await countKeys(database, table, { column, value: row[schema.primary], active });
    if (count > 0) found.set(other, (found.get(other) ?? 0) + count);
  }
  const words = [...found].map(([{ singular, plural }, count]) => `${count} ${count === 1 ? singular : plural}`);
  if (words.length <= 1) return words[0];
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
