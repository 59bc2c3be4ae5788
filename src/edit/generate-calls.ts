import type { Definitions } from '../model/definitions.ts';
import type { Access, Schema, Scope } from '../model/shape.ts';
import type { Change } from './change.ts';
import { type Action, type CallChoice, createCall, createLinkCall, isReading, USUAL_ACTIONS } from './usual-call.ts';

/** Which calls of a schema to generate. */
export interface UsualCalls {
  readonly schema: Schema;
  readonly access: Access;
  /** Default: those that are usual for the access. */
  readonly actions?: readonly Action[];
  /** Scope that gets the calls. Default: the schema's usual ones. */
  readonly slug: string | undefined;
}

export interface GeneratedCalls {
  /** New calls, in the order of the actions. */
  readonly fresh: readonly CallChoice[];
  /** The first requested call, new or not. */
  readonly first: CallChoice | undefined;
  /** Number of calls that already exist. */
  readonly existing: number;
  /** The reason for each action that does not apply. */
  readonly skipped: readonly string[];
  readonly calls: readonly Change[];
  readonly scopes: readonly Change[];
}

/** The default actions for an access. */
export const listUsualActions = (access: Access): readonly Action[] =>
  access === 'public' ? ['search', 'detail'] : USUAL_ACTIONS;

/** The usual calls of a schema that do not exist yet, and the scopes that list them. */
export function generateCalls(definitions: Definitions, options: UsualCalls): GeneratedCalls {
  const { wanted, skipped } = listWanted(definitions, options);
  const fresh = wanted.filter((call) => !isThere(definitions, call));
  return {
    fresh,
    first: fresh[0] ?? wanted[0],
    existing: wanted.length - fresh.length,
    skipped,
    calls: fresh.map(({ name, value }): Change => ({ kind: 'rest', name, value })),
    scopes: listScopes(definitions, { ...options, calls: fresh }),
  };
}

/** The calls of some actions on a schema, and the reason for each action that does not apply. */
function listWanted(
  definitions: Definitions,
  { schema, access, actions }: Pick<UsualCalls, 'schema' | 'access' | 'actions'>,
): { readonly wanted: CallChoice[]; readonly skipped: string[] } {
  const skipped: string[] = [];
  const wanted = (actions ?? listUsualActions(access)).flatMap((action): readonly CallChoice[] => {
    if (action === 'restore' && !schema.fields.some(({ type }) => type === 'active')) {
      skipped.push(`restore was left out: "${schema.name}" has no active field, so removed rows cannot be restored.`);
      return [];
    }
    if (action !== 'link' && action !== 'unlink') return [createCall(access, schema, action)];
    const calls = listLinkCalls(definitions, schema, access, action);
    if (calls.length === 0) {
      const which = access === 'user' ? "by which a user's own rows are linked" : 'that can be linked';
      skipped.push(`${action} was left out: "${schema.name}" declares no 1:0, 1:N or N:N relation ${which}.`);
    }
    return calls;
  });
  return { wanted, skipped };
}

const hasOwner = (schema: Schema | undefined): boolean =>
  schema?.name === 'profile' ||
  (schema?.relations ?? []).some((relation) => relation.schema === 'profile' && /^1:[01]$/.test(relation.kind));

/**
 * A call for each relation that can be linked and unlinked. A 1:1 is set by create and update; its owner does not
 * change.
 */
function listLinkCalls(
  definitions: Definitions,
  schema: Schema,
  access: Access,
  action: 'link' | 'unlink',
): readonly CallChoice[] {
  return (schema.relations ?? []).flatMap((relation) => {
    if (relation.kind === '1:1') return [];
    const target = definitions.schema.get(relation.schema)?.value;
    const changed = relation.kind === '1:N' ? target : schema;
    const isOwner = relation.kind === '1:0' && relation.schema === 'profile';
    if (access === 'user' && (isOwner || !hasOwner(changed))) return [];
    return [createLinkCall(access, schema, relation, { action, target })];
  });
}

/** True if a call exists, by its name or, if it was renamed, by its method and path. */
function isThere(definitions: Definitions, { name, value }: CallChoice): boolean {
  if (definitions.rest.has(name) || definitions.broken.has(`rest/${name}`)) return true;
  const path = value.path.toLowerCase();
  return [...definitions.rest.values()].some(
    ({ value: other }) => other.method === value.method && other.path.toLowerCase() === path,
  );
}

interface AddedCalls extends Pick<UsualCalls, 'schema' | 'access' | 'slug'> {
  readonly calls: readonly CallChoice[];
}

/** The name of a schema's usual scope; with the access in it if a scope of the other kind uses that name. */
function toSlug(definitions: Definitions, { schema, access }: AddedCalls, verb: 'read' | 'write'): string {
  const usual = `${schema.name}_${verb}`;
  const known = definitions.scope.get(usual)?.value;
  return known === undefined || known.access === access ? usual : `${schema.name}_${access}_${verb}`;
}

/**
 * The scopes that get the calls: existing ones extended, or new ones. App calls that read are added only to a named
 * scope. A write outside every scope would be open to every self-registered app.
 */
function listScopes(definitions: Definitions, joining: AddedCalls): Change[] {
  const { schema, access, slug } = joining;
  if (access === 'public') return [];
  const calls = joining.calls.filter(({ action }) => access === 'user' || slug !== undefined || !isReading(action));
  const bySlug = new Map<string, CallChoice[]>();
  for (const call of calls) {
    const key = slug ?? toSlug(definitions, joining, isReading(call.action) ? 'read' : 'write');
    bySlug.set(key, [...(bySlug.get(key) ?? []), call]);
  }
  return [...bySlug].map(([key, list]) => {
    const known = definitions.scope.get(key)?.value;
    const reads = list.filter(({ action }) => isReading(action)).length;
    const verb = reads === list.length ? 'See' : reads === 0 ? 'Change' : 'See and change';
    const plural = schema.plural.toLowerCase();
    const scope: Scope = known ?? {
      slug: key,
      name: access === 'user' ? `${verb} your ${plural}` : `${verb} ${plural}`,
      access,
      ...(access === 'app' && reads < list.length ? { approval: true } : {}),
      calls: [],
    };
    const names = list.map(({ name }) => name);
    return { kind: 'scope', name: key, value: { ...scope, calls: [...new Set([...scope.calls, ...names])] } };
  });
}
