import type { Model, RelationModel, SchemaModel } from '../model/model.ts';
import { listFilterable, type SourceColumn, toKey } from './source-column.ts';

/** Related rows that a filter can use, as a set of keys: `t.<side> in (select <key> from …)`. */
export interface SourceRelated {
  readonly name: string;
  /** Column of the searched table. */
  readonly side: string;
  /** Table and column of the set. The table's alias is `l` if it is a join table that joins `r`, else `r`. */
  readonly table: string;
  readonly key: string;
  /** The related table, if a join table refers to it by this column. */
  readonly through: { readonly table: string; readonly column: string; readonly primary: string } | undefined;
  /** The `active` column of the related rows; removed ones match nothing. */
  readonly active: string | undefined;
  /** True if the relation only points back here and is not shown on this side: only code may filter by it. */
  readonly isBack: boolean;
  /** Schema of the related rows, and the column under the alias `r` that holds their key. */
  readonly target: string;
  readonly targetKey: string;
  /** The filterable columns of the related rows. */
  readonly columns: ReadonlyMap<string, SourceColumn>;
}

/** A relation seen from one of its ends. */
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
    // If two relations of one schema point here, the second is called `<schema>-<relation>`.
    const isTaken = ways.some(({ name }) => name === relation.source);
    add(isTaken ? `${relation.source}-${relation.name}` : relation.source, relation, true);
  }
  return ways;
}

function toRelated({ name, relation, isBack, here, there }: Way): SourceRelated {
  const { kind, table, sourceColumn = '', targetColumn = '' } = relation;
  const columns = listFilterable(there, 'r');
  // A 1:1 shows its columns in the row even if the related row was removed.
  const active = kind === '1:1' && !isBack ? undefined : there.active;
  const base = { name, columns, active, isBack, through: undefined, target: there.name, targetKey: there.primary };
  if (kind === 'N:N') {
    const [key, column] = isBack ? [targetColumn, sourceColumn] : [sourceColumn, targetColumn];
    const through = { table: there.table, column, primary: there.primary };
    return { ...base, side: here.primary, table, key, through };
  }
  // The table of the many side holds the foreign key: that is the declaring side, except for 1:N.
  const isKeyHere = (kind === '1:N') === isBack;
  const foreign = kind === '1:N' ? sourceColumn : targetColumn;
  return isKeyHere
    ? { ...base, side: foreign, table: there.table, key: there.primary }
    : { ...base, side: here.primary, table: there.table, key: foreign };
}

/** Relations of a schema in both directions, by the name in `filter[name.column]`. */
export function listRelated(model: Model, schema: SchemaModel): Map<string, SourceRelated> {
  return new Map(listWays(model, schema).map((way) => [way.name, toRelated(way)]));
}

/**
 * Ids of related rows that are not columns of the searched table, by name: lists, and relations that point here.
 */
export function listLinks(model: Model, schema: SchemaModel): Map<string, SourceRelated> {
  const links = new Map<string, SourceRelated>();
  for (const way of listWays(model, schema)) {
    const related = toRelated(way);
    const { kind, sourceColumn = '', targetColumn = '' } = way.relation;
    if (kind === 'N:N') {
      // If related rows cannot be removed softly, the join table alone is enough.
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
