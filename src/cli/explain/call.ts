import { compileHookEvent } from '../../model/hook-event.ts';
import type { HookModel, Model, RelationModel } from '../../model/model.ts';
import { findOwnerColumn } from '../../model/role/owner-column.ts';
import type { CompiledPlan } from '../../plan/compile.ts';
import type { CallPlan } from '../../plan/feature.ts';
import { type ListenerFacts, listListeners, type RequestMatch } from './find.ts';

interface ScopeFacts {
  readonly slug: string;
  readonly file: string;
  readonly needsApproval: boolean;
}

/** The facts that decide a request to a call, from the definitions. */
export interface CallFacts {
  readonly name: string;
  readonly title: string;
  readonly file: string;
  readonly isHandwritten: boolean;
  readonly access: 'public' | 'app' | 'user';
  readonly path: string;
  readonly event: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly variables: readonly string[];
  readonly fixed: Readonly<Record<string, unknown>>;
  readonly credential: string;
  /** True if the request changes data, so that an app needs its secret. */
  readonly isWrite: boolean;
  /** Scopes with the call's kind of access that list it. */
  readonly scopes: readonly ScopeFacts[];
  readonly rows: string;
  readonly limit: string;
  /** True if a change must name the row's version in `If-Match`. */
  readonly needsVersion: boolean;
  readonly listeners: readonly ListenerFacts[];
  readonly hooks: readonly HookFacts[];
}

interface HookFacts {
  readonly name: string;
  readonly type: string;
  readonly file: string;
  readonly needsApproval: boolean;
}

const CHANGES = /^system-(?:model-(?:create|update|remove|restore|import|batch)|relation-)/;
const LINKS = /^system-relation-(?:link|unlink|unlink-all)$/;

export function describeCall(plan: CompiledPlan, call: CallPlan, found: RequestMatch): CallFacts {
  const { definition, name, file, path, handler } = call;
  const { title, access, event, parameters: fixed = {} } = definition;
  const isWrite = found.method !== 'GET' || CHANGES.test(event);
  const { model } = plan;
  const { parameters, variables } = found.match;
  const listeners = handler
    ? [{ event, by: 'project' as const, name: handler.name, place: file, priority: 0 }]
    : listListeners(plan, event);
  const base = { name, title, file, isHandwritten: handler !== undefined, access, path, event };
  return {
    ...base,
    parameters,
    variables,
    fixed,
    isWrite,
    credential: describeCredential(access, isWrite),
    scopes: listScopes(model, call),
    rows: describeRows(call, model),
    limit: describeLimit(call, model),
    needsVersion: definition.concurrency === 'required',
    listeners,
    hooks: listHooks(plan, call).map(toHookFacts),
  };
}

function listScopes({ scopes }: Model, call: CallPlan): ScopeFacts[] {
  return call.scopes.flatMap((slug) => {
    const scope = scopes.get(slug);
    if (scope?.definition.access !== call.definition.access) return [];
    return [{ slug, file: scope.file, needsApproval: scope.definition.approval === true }];
  });
}

function describeCredential(access: CallFacts['access'], isWrite: boolean): string {
  if (access === 'public') return 'none needed';
  if (access === 'user') return 'a user\'s access token: "Authorization: Bearer <token>"';
  return isWrite
    ? 'client id and secret, by HTTP Basic or in the body; or a client_credentials token'
    : 'client_id in the query, or client id and secret by HTTP Basic, or a client_credentials token';
}

function describeLimit({ definition }: CallPlan, { settings }: Model): string {
  if (definition.access === 'public') return 'none: public calls have no limit';
  const who = definition.access === 'app' ? 'app' : 'app and user';
  const batch = definition.event === 'system-model-batch' ? '; each operation of a batch counts' : '';
  return `${settings.limits.perMinute} a minute for each ${who}${batch}`;
}

/** The rows that a request reaches, in a sentence. */
function describeRows(call: CallPlan, model: Model): string {
  const { definition, isOwn, handler } = call;
  if (handler)
    return isOwn ? "decided by the handler; profile_id in the stage is the token's" : 'decided by the handler';
  if (LINKS.test(definition.event)) return describeLink(call, model);
  const schema = call.schema === undefined ? undefined : model.schemas.get(call.schema);
  if (!schema) {
    return definition.access === 'user'
      ? "decided by the event; profile_id in the stage is the token's"
      : 'decided by the event';
  }
  if (!isOwn) return `all rows of ${schema.name}`;
  const owner = findOwnerColumn(schema);
  if (schema.name === 'profile') return "the token's own profile";
  return `rows of ${schema.name} with the token's profile as ${owner ?? 'owner'}`;
}

function describeLink({ definition, isOwn }: CallPlan, model: Model): string {
  const { schema1, schema2, relation: name } = definition.parameters ?? {};
  const [first, second] = [model.schemas.get(String(schema1)), model.schemas.get(String(schema2))];
  const isIt = (relation: RelationModel): boolean => name === undefined || relation.name === name;
  const relation =
    first?.relations.find((entry) => entry.target === schema2 && isIt(entry)) ??
    second?.relations.find((entry) => entry.target === schema1 && isIt(entry));
  if (!relation) return 'rows of the two schemas that the request names';
  const changed = relation.kind === '1:N' ? relation.target : relation.source;
  const other = relation.kind === '1:N' ? relation.source : relation.target;
  if (!isOwn) return `all rows of ${changed} and ${other}`;
  return `${changed}: the user's own; ${other}: the user's own, nobody's, or of a schema that a public call reads`;
}

const toHookFacts = ({ name, definition, file }: HookModel): HookFacts => ({
  name,
  type: definition.type,
  file,
  needsApproval: definition.approval === true,
});

/** The hooks that a successful call fires: those of its event that its parameters do not exclude. */
function listHooks(plan: CompiledPlan, { definition, handler }: CallPlan): HookModel[] {
  if (handler) return [];
  const { event, parameters = {} } = definition;
  const names =
    event === 'system-model-batch'
      ? ['create', 'update', 'remove', 'restore'].map((verb) => `system-model-${verb}`)
      : [];
  const isFiring = (wanted: string): boolean => [event, ...names].some(compileHookEvent(wanted));
  return plan.hooks.filter(
    ({ definition: hook }) =>
      isFiring(hook.event) &&
      Object.entries(hook.parameters ?? {}).every(
        ([key, value]) => !Object.hasOwn(parameters, key) || String(parameters[key]) === String(value),
      ),
  );
}
