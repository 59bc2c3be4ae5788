import { compilePattern } from '../../core/bus/pattern.ts';
import { groupBy } from '../../core/group-by.ts';
import { memoize } from '../../core/memoize.ts';
import type { Model, RelationModel, SchemaModel } from '../../model/model.ts';
import type { Access } from '../../model/shape.ts';
import type { CallPlan, Facts } from '../feature.ts';

/** Most rows of one request: the items of a batch with the children in them, or the children of one row. */
export const MOST_ITEMS = 100;

const ROW_WRITE = /^system-(?:model-(?:create|update|remove|restore)|relation-(?:link|unlink))$/;
const READS = /^system-model-(?:search|detail)$/;

/** Why a batch does not take a call, as the end of a sentence that begins with the call; undefined if it takes it. */
export function findBatchObstacle({ definition: { event, method }, handler, path }: CallPlan): string | undefined {
  if (handler !== undefined) return 'is written by hand, and a batch takes only calls that write rows by a definition.';
  if (READS.test(event)) return 'reads, and a batch only writes.';
  if (!ROW_WRITE.test(event))
    return `emits ${event}, and a batch takes only create, update, remove, restore, link and unlink.`;
  if (method === 'get') return 'is a GET, and a batch takes only calls with another method.';
  return path.includes('*') ? 'has a wildcard in its path, and a batch takes only named parameters.' : undefined;
}

/** A route that takes many writing calls of one access in one transaction. */
export interface Batch {
  readonly access: Access;
  /** As served. */
  readonly path: string;
  /** The calls that it takes, by name. */
  readonly calls: ReadonlyMap<string, CallPlan>;
  /** The project's call that answers the path instead; undefined if there is none. */
  readonly rival: CallPlan | undefined;
}

/** The batches of an API: one for each access that has a call which a batch takes. */
export function listBatches({ calls, model }: Pick<Facts, 'calls' | 'model'>): Batch[] {
  if (model.settings.api === false) return [];
  return (['public', 'app', 'user'] as const).flatMap((access): Batch[] => {
    const taken = calls.filter((call) => call.definition.access === access && findBatchObstacle(call) === undefined);
    if (taken.length === 0) return [];
    const path = `/rest/${access}/batch`;
    const rival = calls.find(
      (call) => /^(?:post|all)$/.test(call.definition.method) && compilePattern(call.path).matches(path),
    );
    return [{ access, path, calls: new Map(taken.map((call) => [call.name, call])), rival }];
  });
}

const BATCH_EVENT = 'rest-batch';

/** Whether a call is the one of {@link toBatchCall}. */
export const isBatchCall = ({ definition: { event } }: CallPlan): boolean => event === BATCH_EVENT;

/** A batch as a call, for what it shares with calls. No scope lists it: each item needs that of its own call. */
export const toBatchCall = ({ access, path }: Batch): CallPlan => ({
  name: `${access}-batch`,
  definition: { title: 'Batch', access, method: 'post', path: path.slice('/rest'.length), event: BATCH_EVENT },
  path,
  parameters: [],
  scopes: [],
  schema: undefined,
  isOwn: false,
  file: '',
  handler: undefined,
});

/** A relation whose rows a create or update of its source may write along, as a list under the relation's name. */
export interface ChildRelation {
  /** Key of the list in the body and in the answer. */
  readonly name: string;
  readonly target: SchemaModel;
  /** Column of the child with the key of its parent. */
  readonly key: string;
  /** The calls of the same access that create a child. */
  readonly creates: readonly CallPlan[];
  /** The calls of the same access that change a child. */
  readonly updates: readonly CallPlan[];
}

const groupBySchema = memoize((calls: readonly CallPlan[]) => groupBy(calls, ({ schema }) => schema));

/** The calls that write a child with one event, and leave its parent to the request. */
function listChildCalls(
  { calls, access, event }: { readonly calls: readonly CallPlan[]; readonly access: Access; readonly event: string },
  target: SchemaModel,
  key: string,
): CallPlan[] {
  const known = event === 'system-model-create' ? [key] : [key, target.primary];
  return (groupBySchema(calls).get(target.name) ?? []).filter(
    (call) =>
      call.definition.access === access &&
      call.definition.event === event &&
      findBatchObstacle(call) === undefined &&
      call.parameters.every((name) => known.includes(name)) &&
      known.every((name) => !Object.hasOwn(call.definition.parameters ?? {}, name)),
  );
}

/** The 1:N relations of a schema, with the column of the child that has the parent's key. */
const listLists = ({ relations, row }: SchemaModel): (RelationModel & { readonly sourceColumn: string })[] =>
  relations.filter(
    (relation): relation is RelationModel & { readonly sourceColumn: string } =>
      relation.kind === '1:N' && relation.sourceColumn !== undefined && !row.stored.includes(relation.name),
  );

/** By call, for each model: each is found at the first request of its call. */
const known = memoize((_model: Model) => new Map<CallPlan, readonly ChildRelation[]>());

/** The relations that a call may write along; none for other calls than creates and updates of a definition. */
export function listChildRelations(call: CallPlan, facts: Pick<Facts, 'calls' | 'model'>): readonly ChildRelation[] {
  const found = known(facts.model).get(call) ?? findChildRelations(call, facts);
  known(facts.model).set(call, found);
  return found;
}

function findChildRelations(call: CallPlan, facts: Pick<Facts, 'calls' | 'model'>): ChildRelation[] {
  const { event, access, method } = call.definition;
  const schema = call.schema === undefined ? undefined : facts.model.schemas.get(call.schema);
  if (!schema || call.handler || method === 'get' || !/^system-model-(?:create|update)$/.test(event)) return [];
  return listLists(schema).flatMap(({ name, target: targetName, sourceColumn: key }): ChildRelation[] => {
    const target = facts.model.schemas.get(targetName);
    if (!target || Object.hasOwn(call.definition.parameters ?? {}, name)) return [];
    const find = (action: string): CallPlan[] =>
      listChildCalls({ calls: facts.calls, access, event: `system-model-${action}` }, target, key);
    const [creates, updates] = [find('create'), find('update')];
    return creates.length + updates.length === 0 ? [] : [{ name, target, key, creates, updates }];
  });
}

/** The schema of a 1:N relation, for a message about its name; undefined if the schema has none of that name. */
export const findListTarget = (schema: SchemaModel, name: string): string | undefined =>
  listLists(schema).find((relation) => relation.name === name)?.target;
