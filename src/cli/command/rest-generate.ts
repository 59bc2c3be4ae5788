import { toDidYouMean } from '../../core/suggest.ts';
import { applyChanges, type Change } from '../../edit/change.ts';
import type { Definitions } from '../../model/definitions.ts';
import { ACCESS, type Access, type Rest, type Schema, type Scope } from '../../model/shape.ts';
import { getDefinition, readDefinitions, toOutcome } from '../definition.ts';
import { createUsageError } from '../failure.ts';
import { ACTIONS, type Action, isReading, toCall, toLinkCall, USUAL_ACTIONS, type Wanted } from '../question/call.ts';
import { type CommandSpec, findText, getList, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'schema', description: 'name of the schema', of: 'schema' }],
  options: [
    { name: 'access', value: 'access', description: 'who may call', choices: ACCESS, default: 'public' },
    {
      name: 'action',
      value: 'list',
      description: `separated by commas: ${ACTIONS.join(',')}. Default: search,detail for public calls, ${USUAL_ACTIONS.join(',')} for others`,
      isRepeated: true,
    },
    {
      name: 'scope',
      value: 'slug',
      description:
        'scope to add the calls to. Default: <schema>_read and <schema>_write for user calls; <schema>_write, which needs approval, for app calls that write',
    },
  ],
  isWriting: true,
  examples: [
    'treadle rest generate article',
    'treadle rest generate comment --access user --action search,create',
    'treadle rest generate article --access user --action link,unlink,batch --dry-run',
  ],
  async run(invocation) {
    const { values } = invocation;
    const definitions = await readDefinitions(invocation);
    const schema = getDefinition(definitions, 'schema', getText(values, 'schema'));
    const access = getText(values, 'access') as Access;
    const actions = toActions(getList(values, 'action', true), access);
    const { wanted, skipped } = listWanted(definitions, schema, access, actions);
    const fresh = wanted.filter((call) => !isThere(definitions, call));
    const calls = fresh.map(({ name, value }): Change => ({ kind: 'rest', name, value }));
    const scopes = toScopes(definitions, { schema, access, calls: fresh, slug: findText(values, 'scope') });
    const files = await applyChanges(invocation, [...calls, ...scopes]);
    return toOutcome(invocation, files, {
      data: { kept: wanted.length - fresh.length, skipped },
      lines: [...toKeptLines(wanted.length - fresh.length, fresh.length), ...skipped],
      next: toNext(fresh[0]?.value ?? wanted[0]?.value, scopes),
    });
  },
};

function toKeptLines(kept: number, fresh: number): string[] {
  if (kept === 0) return [];
  const nothing = fresh === 0 ? ' Nothing to change.' : '';
  return [
    `${kept} ${kept === 1 ? 'call' : 'calls'} already existed and ${kept === 1 ? 'was' : 'were'} kept.${nothing}`,
  ];
}

function toNext(call: Rest | undefined, scopes: readonly Change[]): string[] {
  const slugs = scopes.map(({ name }) => `--scope ${name}`).join(' ');
  return [
    ...(call === undefined ? [] : [`treadle explain ${call.method.toUpperCase()} /rest${call.path}`]),
    ...(slugs === '' ? [] : [`treadle app create <name> --title <text> ${slugs}`]),
    'treadle dev',
  ];
}

function toActions(given: readonly string[], access: Access): readonly Action[] {
  if (given.length === 0) return access === 'public' ? ['search', 'detail'] : USUAL_ACTIONS;
  for (const word of given) {
    if (!ACTIONS.some((action) => action === word)) {
      throw createUsageError(`--action can't be "${word}".`, toDidYouMean(word, ACTIONS));
    }
  }
  return ACTIONS.filter((action) => given.includes(action));
}

/** The calls of some actions on a schema, and the reason for each action that does not apply. */
function listWanted(
  definitions: Definitions,
  schema: Schema,
  access: Access,
  actions: readonly Action[],
): { readonly wanted: Wanted[]; readonly skipped: string[] } {
  const skipped: string[] = [];
  const wanted = actions.flatMap((action): readonly Wanted[] => {
    if (action === 'restore' && !schema.fields.some(({ type }) => type === 'active')) {
      skipped.push(`restore was left out: "${schema.name}" has no active field, so removed rows cannot be restored.`);
      return [];
    }
    if (action !== 'link' && action !== 'unlink') return [toCall(access, schema, action)];
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
): readonly Wanted[] {
  return (schema.relations ?? []).flatMap((relation) => {
    if (relation.kind === '1:1') return [];
    const target = definitions.schema.get(relation.schema)?.value;
    const changed = relation.kind === '1:N' ? target : schema;
    const isOwner = relation.kind === '1:0' && relation.schema === 'profile';
    if (access === 'user' && (isOwner || !hasOwner(changed))) return [];
    return [toLinkCall(access, schema, relation, { action, target })];
  });
}

/** True if a call exists, by its name or, if it was renamed, by its method and path. */
function isThere(definitions: Definitions, { name, value }: Wanted): boolean {
  if (definitions.rest.has(name) || definitions.broken.has(`rest/${name}`)) return true;
  const path = value.path.toLowerCase();
  return [...definitions.rest.values()].some(
    ({ value: other }) => other.method === value.method && other.path.toLowerCase() === path,
  );
}

interface Joining {
  readonly schema: Schema;
  readonly access: Access;
  readonly calls: readonly Wanted[];
  readonly slug: string | undefined;
}

/** The name of a schema's usual scope; with the access in it if a scope of the other kind uses that name. */
function toSlug(definitions: Definitions, { schema, access }: Joining, verb: 'read' | 'write'): string {
  const usual = `${schema.name}_${verb}`;
  const known = definitions.scope.get(usual)?.value;
  return known === undefined || known.access === access ? usual : `${schema.name}_${access}_${verb}`;
}

/**
 * The scopes that get the calls: existing ones extended, or new ones. App calls that read are added only to a named
 * scope. A write outside every scope would be open to every self-registered app.
 */
function toScopes(definitions: Definitions, joining: Joining): Change[] {
  const { schema, access, slug } = joining;
  if (access === 'public') return [];
  const calls = joining.calls.filter(({ action }) => access === 'user' || slug !== undefined || !isReading(action));
  const bySlug = new Map<string, Wanted[]>();
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
