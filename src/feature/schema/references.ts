import type { Database, Row } from '../../database/database.ts';
import { toOnDelete } from '../../database/table.ts';
import type { Model, RelationModel, SchemaModel } from '../../model/model.ts';
import { countKeys } from './sql.ts';

/** A key by which rows of another schema refer to a row and keep it from being removed. */
interface Reference {
  readonly relation: RelationModel;
  /** The schema of the referring rows. */
  readonly schema: SchemaModel;
  /** Table and column of the foreign key. */
  readonly table: string;
  readonly column: string;
}

/** The keys by which rows of other schemas can keep a row of this schema from being removed. */
function listReferences(model: Model, schema: SchemaModel): Reference[] {
  const references: Reference[] = [];
  const add = (relation: RelationModel, name: string, column: string | undefined): void => {
    const other = model.schemas.get(name);
    if (column === undefined || !other || toOnDelete(relation) !== 'restrict') return;
    references.push({ relation, schema: other, table: relation.table, column });
  };
  for (const relation of schema.reverse) {
    if (relation.kind !== '1:N') add(relation, relation.source, relation.targetColumn);
  }
  for (const relation of schema.relations) {
    if (relation.kind === '1:N' || relation.kind === 'N:N') add(relation, relation.target, relation.sourceColumn);
  }
  return references;
}

export interface ReferenceOptions {
  readonly model: Model;
  readonly schema: SchemaModel;
  readonly database: Database;
  /**
   * `hard`: all rows that the database's foreign keys would refuse for. `soft`: only active rows, and only of
   * relations with `"onRemove": "restrict"`; a 1:1 without it does not prevent a soft removal.
   */
  readonly mode: 'hard' | 'soft';
}

/** The rows that still refer to a row, in words: `2 Comments and 1 Article`. Undefined if there are none. */
export async function describeReferences(row: Row, options: ReferenceOptions): Promise<string | undefined> {
  const { model, schema, database, mode } = options;
  const found = new Map<SchemaModel, number>();
  for (const holder of listReferences(model, schema)) {
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
