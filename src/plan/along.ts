import { ROLES_BY_ACCESS } from '../access/reach.ts';
import { findRuler } from '../access/rules.ts';
import {
  type ColumnModel,
  type FlatColumn,
  getSchema,
  type Model,
  type RelationModel,
  type SchemaModel,
} from '../model/model.ts';
import { findOwnerColumn } from '../model/role/owner-column.ts';
import type { Access } from '../model/shape.ts';
import { MOST_LEVELS } from '../store/read/parse/expand.ts';
import type { CallPlan } from './feature.ts';

/** A column of another schema in the rows of an answer. */
export interface FlatRelationColumn {
  /** Its name in the row. */
  readonly name: string;
  readonly model: ColumnModel;
  /** True if it is private: others' rows do not have it. */
  readonly isOwnersOnly: boolean;
}

/** What a 1:1 relation brings into the rows of an answer. */
export interface FlatRelation {
  /** The relation, after those that the rows are listed under, if any: `profile`, `review.profile`. */
  readonly by: string;
  readonly relation: RelationModel;
  readonly target: SchemaModel;
  readonly columns: readonly FlatRelationColumn[];
}

/** A call, as far as it decides what its answer holds. */
export type FlatRelationCall = Pick<CallPlan, 'definition' | 'handler' | 'schema' | 'isOwn'>;

const ANSWERS = /^system-model-(search|detail|create|update|remove|restore|batch)$/;

type Columns = ReadonlySet<string> | undefined;

/** The columns of a related schema that callers of a kind may see: of some rows, and of others' rows. */
interface SchemaVisibility {
  readonly some: Columns;
  readonly others: Columns;
}

const ALL: SchemaVisibility = { some: undefined, others: undefined };

/** Undefined where the rules show none. */
function findSeen(model: Model, access: Access, schema: SchemaModel): SchemaVisibility | undefined {
  const ruler = findRuler(model);
  const roles = ROLES_BY_ACCESS[access];
  const rules = ruler?.isRuled(schema.name) ? ruler.list(schema.name, 'detail', roles) : ruler?.findOpen(schema.name);
  if (ruler === undefined || rules === undefined) return ALL;
  // Somebody has every value that a rule compares with: what comes along in some row is listed.
  const me = (name: string): unknown => (access !== 'user' ? undefined : name === 'roles' ? roles : 1);
  const grant = ruler.combine(schema.name, rules, { me, now: () => '' });
  if (grant === undefined || grant.rows?.anyOf?.length === 0) return undefined;
  const isOpen = rules.some(({ read }) => read === undefined);
  return { some: grant.read, others: isOpen ? undefined : new Set(rules.flatMap(({ read }) => [...(read ?? [])])) };
}

const toNames = (value: unknown): string[] =>
  [value ?? []].flat().flatMap((names) =>
    String(names)
      .split(',')
      .map((name) => name.trim()),
  );

/** The columns that 1:1 relations bring into each row of a schema. */
function listFlat(
  model: Model,
  access: Access,
  schema: SchemaModel,
  isIn: (flat: FlatColumn) => boolean,
): FlatRelation[] {
  const groups = new Map<RelationModel, FlatRelationColumn[]>();
  const known = new Map<string, SchemaVisibility | undefined>();
  for (const flat of schema.row.flat) {
    const { name, relation, target, column, model: made } = flat;
    const other = model.schemas.get(target);
    if (made === undefined || other === undefined || !isIn(flat)) continue;
    if (!known.has(target)) known.set(target, findSeen(model, access, other));
    const seen = known.get(target);
    if (seen === undefined || seen.some?.has(column) === false) continue;
    const isOwnersOnly = seen.others?.has(column) === false;
    groups.set(relation, [...(groups.get(relation) ?? []), { name, model: made, isOwnersOnly }]);
  }
  return [...groups].map(([relation, columns]) => ({
    by: relation.name,
    relation,
    target: getSchema(model, relation.target),
    columns,
  }));
}

/** A relation whose rows an answer may list. */
interface ListedRelation {
  /** The relations that lead to the rows: `review`, `review.answer`. */
  readonly path: string;
  readonly target: SchemaModel;
}

/**
 * The relations whose rows an answer may list: those of the rows, and those that `expand` adds to related rows. Of these each
 * schema is told once, by the shortest way. A write lists none.
 */
function listListed(
  { schemas }: Model,
  { parameters = {} }: FlatRelationCall['definition'],
  action: string,
  schema: SchemaModel,
): ListedRelation[] {
  if (action !== 'search' && action !== 'detail') return [];
  const named = 'expand' in parameters ? toNames(parameters.expand) : undefined;
  const isNamed = (path: string): boolean =>
    named === undefined || named.some((name) => name === path || name.startsWith(`${path}.`));
  const all: ListedRelation[] = [];
  let level: readonly ListedRelation[] = [{ path: '', target: schema }];
  for (let depth = 0; depth < MOST_LEVELS; depth += 1) {
    const told = new Set(all.map(({ target }) => target));
    const next: ListedRelation[] = [];
    for (const { path, target: own } of level)
      for (const { name, target: there } of own.row.details) {
        const whole = path === '' ? name : `${path}.${name}`;
        const target = schemas.get(there);
        if (target === undefined || !isNamed(whole) || (depth > 0 && told.has(target))) continue;
        if (depth > 0) told.add(target);
        next.push({ path: whole, target });
      }
    all.push(...next);
    level = next;
  }
  return all;
}

/**
 * The columns of other schemas that 1:1 relations bring into the answers of a call, for its kind of caller. Without those that
 * every such caller is refused.
 */
export function listAlong(
  model: Model,
  { definition, handler, schema: name, isOwn }: FlatRelationCall,
): readonly FlatRelation[] {
  const { access, event, parameters = {} } = definition;
  const action = ANSWERS.exec(event)?.[1];
  const schema = handler === undefined && name !== undefined ? model.schemas.get(name) : undefined;
  if (schema === undefined || action === undefined) return [];
  const fields = toNames(parameters.fields);
  const isPicked = ({ name: column, relation, column: inner }: FlatColumn): boolean =>
    fields.includes(column) || fields.includes(`${relation.name}.${inner}`);
  // Columns of related rows alone leave the row whole.
  const isWhole = fields.every((field) => field.includes('.')) && !schema.row.flat.some(isPicked);
  const flat = listFlat(model, access, schema, (column) => isWhole || isPicked(column));
  const owner = access === 'user' && isOwn ? findOwnerColumn(schema) : undefined;
  // The rows of an own call belong to its user, so their profile is the user's.
  const own = flat.map((along): FlatRelation => {
    if (owner === undefined || along.relation.targetColumn !== owner || along.target.name !== 'profile') return along;
    return { ...along, columns: along.columns.map((column) => ({ ...column, isOwnersOnly: false })) };
  });
  const listed = listListed(model, definition, action, schema).flatMap(({ path, target }) =>
    listFlat(model, access, target, () => true).map((along) => ({ ...along, by: `${path}.${along.by}` })),
  );
  return [...own, ...listed];
}
