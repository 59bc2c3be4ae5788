import type { RelationModel, SchemaModel } from './model.ts';
import type { WayKeys } from './way-keys.ts';

/** The parts of a schema that relations are read of; the schema may still be linking. */
type WaySchema = Pick<SchemaModel, 'name' | 'table' | 'primary' | 'active' | 'relations' | 'reverse'>;

/** A relation seen from one of its ends. */
export interface Way<S extends WaySchema = SchemaModel> {
  /** As `filter[name.column]` takes it. */
  readonly name: string;
  readonly relation: RelationModel;
  /** True if the other schema declares it. */
  readonly isBack: boolean;
  readonly here: S;
  readonly there: S;
}

/** The relations of a schema in both directions. */
export function listWays<S extends WaySchema>(schemas: ReadonlyMap<string, S>, schema: S): Way<S>[] {
  const ways: Way<S>[] = [];
  const add = (name: string, relation: RelationModel, isBack: boolean): void => {
    const there = schemas.get(isBack ? relation.source : relation.target);
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

/** True if a row may have several related rows this way. */
export const isManyWay = ({ relation: { kind }, isBack }: Pick<Way, 'relation' | 'isBack'>): boolean =>
  kind === 'N:N' || (kind === '1:N') !== isBack;

/** Where the related rows of a row are. */
export function findWayKeys({ relation, isBack, here, there }: Way<WaySchema>): WayKeys {
  const { kind, table, sourceColumn = '', targetColumn = '' } = relation;
  // A 1:1 shows its columns in the row even if the related row was removed.
  const active = kind === '1:1' && !isBack ? undefined : there.active;
  const base = { active, through: undefined, target: there.name, targetKey: there.primary };
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
