import type { Model, RelationModel, SchemaModel } from '../model/model.ts';
import { listFilterable, type SourceColumn, toKey } from './source-column.ts';

/** Rows elsewhere that a searched row is found by, as a set of keys: `t.<side>` is one of `select <key> from …`. */
export interface SourceRelated {
  readonly name: string;
  /** Column of the searched table. */
  readonly side: string;
  /** Table and column of the set; the table's alias is `l` where a join table leads to `r`, else `r`. */
  readonly table: string;
  readonly key: string;
  /** The related table, where a join table leads to it by this column. */
  readonly through: { readonly table: string; readonly column: string; readonly primary: string } | undefined;
  /** Column of the related rows that tells whether they were removed: those find nothing. */
  readonly active: string | undefined;
  /** The relation leads here and is not shown in rows of this side: only own code may ask through it. */
  readonly isBack: boolean;
  /** Schema of the related rows, and the column under the alias `r` that holds their key. */
  readonly target: string;
  readonly targetKey: string;
  /** What can be asked of the related rows. */
  readonly columns: ReadonlyMap<string, SourceColumn>;
}

/** How a relation is followed from one of its ends. */
interface Way {
  readonly name: string;
  readonly relation: RelationModel;
  readonly isBack: boolean;
  readonly here: SchemaModel;
  readonly there: SchemaModel;
}

function listWays(model: Model, schema: SchemaModel): Way[] {
  const ways: Way[] = [];
  const add = (name: string, relation: RelationModel, isBack: boolean): void => {
    const there = model.schemas.get(isBack ? relation.source : relation.target);
    if (there && !ways.some((way) => way.name === name)) ways.push({ name, relation, isBack, here: schema, there });
  };
  for (const relation of schema.relations) add(relation.name, relation, false);
  for (const relation of schema.reverse) {
    // Where two lead here from one schema, each is named by the schema and its own name.
    const isTaken = ways.some(({ name }) => name === relation.source);
    add(isTaken ? `${relation.source}-${relation.name}` : relation.source, relation, true);
  }
  return ways;
}

function toRelated({ name, relation, isBack, here, there }: Way): SourceRelated {
  const { kind, table, sourceColumn = '', targetColumn = '' } = relation;
  const columns = listFilterable(there, 'r');
  // A 1:1 shows its columns in the row, removed or not.
  const active = kind === '1:1' && !isBack ? undefined : there.active;
  const base = { name, columns, active, isBack, through: undefined, target: there.name, targetKey: there.primary };
  if (kind === 'N:N') {
    const [key, column] = isBack ? [targetColumn, sourceColumn] : [sourceColumn, targetColumn];
    const through = { table: there.table, column, primary: there.primary };
    return { ...base, side: here.primary, table, key, through };
  }
  // The foreign key lies in the table of the many: the declaring one's, but for 1:N.
  const isKeyHere = (kind === '1:N') === isBack;
  const foreign = kind === '1:N' ? sourceColumn : targetColumn;
  return isKeyHere
    ? { ...base, side: foreign, table: there.table, key: there.primary }
    : { ...base, side: here.primary, table: there.table, key: foreign };
}

/** Relations of a schema, this way and back, by the name that `filter[name.column]` has. */
export function listRelated(model: Model, schema: SchemaModel): Map<string, SourceRelated> {
  return new Map(listWays(model, schema).map((way) => [way.name, toRelated(way)]));
}

/** Ids of related rows that are no columns of the searched table, by name: lists, and what leads here. */
export function listLinks(model: Model, schema: SchemaModel): Map<string, SourceRelated> {
  const links = new Map<string, SourceRelated>();
  for (const way of listWays(model, schema)) {
    const related = toRelated(way);
    const { kind, sourceColumn = '', targetColumn = '' } = way.relation;
    if (kind === 'N:N') {
      // The join table alone tells, where no related row may have been removed.
      const name = way.isBack ? sourceColumn : targetColumn;
      const isAlone = related.active === undefined;
      const columns = new Map([[name, toKey(name, isAlone ? 'r' : 'l', false)]]);
      const through = isAlone ? undefined : related.through;
      const targetKey = isAlone ? name : related.targetKey;
      if (!links.has(name)) links.set(name, { ...related, name, through, columns, targetKey });
      continue;
    }
    const isKeyHere = (kind === '1:N') === way.isBack;
    const name = way.there.primary;
    if (isKeyHere || name === schema.primary || links.has(name)) continue;
    links.set(name, { ...related, name });
  }
  return links;
}
