import { toDidYouMean } from '../../core/suggest.ts';
import type { Definitions } from '../../model/definitions.ts';
import { ACCESS, type Access, type Schema, type Scope } from '../../model/shape.ts';
import { applyChanges, type Change, getDefinition, readDefinitions, toOutcome } from '../definition.ts';
import { createUsageError } from '../failure.ts';
import { ACTIONS, type Action, isReading, toCall, toCallName } from '../question/call.ts';
import { type CommandSpec, findText, getList, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'schema', description: 'name of the schema' }],
  options: [
    { name: 'access', value: 'access', description: 'who may call', choices: ACCESS, default: 'public' },
    {
      name: 'action',
      value: 'list',
      description: `by comma: ${ACTIONS.join(',')}; search,detail for public calls and all for others if left out`,
      isRepeated: true,
    },
    {
      name: 'scope',
      value: 'slug',
      description: 'scope that user calls join; <schema>_read and <schema>_write if left out',
    },
  ],
  isWriting: true,
  examples: ['treadle rest generate article', 'treadle rest generate comment --access user --action search,create'],
  async run(invocation) {
    const { values } = invocation;
    const definitions = await readDefinitions(invocation);
    const schema = getDefinition(definitions, 'schema', getText(values, 'schema'));
    const access = getText(values, 'access') as Access;
    const actions = toActions(getList(values, 'action', true), access);
    const fresh = actions.filter((action) => !definitions.rest.has(toCallName(access, schema.name, action)));
    const calls = fresh.map((action): Change => {
      return { kind: 'rest', name: toCallName(access, schema.name, action), value: toCall(access, schema, action) };
    });
    const scopes = access === 'user' ? toScopes(definitions, schema, fresh, findText(values, 'scope')) : [];
    const files = await applyChanges(invocation, [...calls, ...scopes]);
    const kept = actions.length - fresh.length;
    return toOutcome(invocation, files, {
      lines: kept > 0 ? [`${kept} ${kept === 1 ? 'call was' : 'calls were'} there already and kept.`] : [],
      next: ['treadle routes', 'treadle dev'],
    });
  },
};

function toActions(given: readonly string[], access: Access): Action[] {
  if (given.length === 0) return access === 'public' ? ['search', 'detail'] : [...ACTIONS];
  for (const word of given) {
    if (!ACTIONS.some((action) => action === word)) {
      throw createUsageError(`--action can't be "${word}".`, toDidYouMean(word, ACTIONS));
    }
  }
  return ACTIONS.filter((action) => given.includes(action));
}

/** The scopes that the calls join: those there are, longer, or new ones. */
function toScopes(
  definitions: Definitions,
  schema: Schema,
  actions: readonly Action[],
  slug: string | undefined,
): Change[] {
  const bySlug = new Map<string, Action[]>();
  for (const action of actions) {
    const key = slug ?? `${schema.name}_${isReading(action) ? 'read' : 'write'}`;
    bySlug.set(key, [...(bySlug.get(key) ?? []), action]);
  }
  return [...bySlug].map(([key, list]) => {
    const names = list.map((action) => toCallName('user', schema.name, action));
    const known = definitions.scope.get(key)?.value;
    const verb = list.every(isReading) ? 'See' : 'Change';
    const scope: Scope = known ?? {
      slug: key,
      name: `${verb} your ${schema.plural.toLowerCase()}`,
      access: 'user',
      calls: [],
    };
    return { kind: 'scope', name: key, value: { ...scope, calls: [...new Set([...scope.calls, ...names])] } };
  });
}
