import { ACTIONS, type Action } from '../../core/access.ts';
import { toDidYouMean } from '../../core/suggest.ts';
import { applyChanges } from '../../edit/change.ts';
import { APP, GUEST, isBuiltIn, USER } from '../../model/role.ts';
import { type AllowedActions, allowActions } from '../../model/role-allow.ts';
import { listOpenActions } from '../../plan/open-actions.ts';
import { compilePlan } from '../application.ts';
import { readDefinitions, toOutcome } from '../definition.ts';
import { createUsageError } from '../failure.ts';
import { type CommandSpec, getList, getText, isOn } from '../spec.ts';

/** @throws CLI_USAGE */
function readActions(given: readonly string[]): Action[] {
  return given.map((word) => {
    const found = ACTIONS.find((action) => action === word);
    if (found === undefined) throw createUsageError(`"${word}" is not an action.`, toDidYouMean(word, ACTIONS));
    return found;
  });
}

const HOLDERS: Readonly<Record<string, string>> = {
  [GUEST]: 'guest (everybody, without a log-in)',
  [USER]: 'user (everybody who is logged in)',
  [APP]: 'app (every app)',
};

const toLine = (slug: string, schema: string, actions: readonly string[]): string =>
  `${HOLDERS[slug] ?? slug} may ${actions.join(', ')} ${schema}`;

/** What to type if visitors read the rows on pages: rows with an owner are not opened to them. */
const toClosed = (open: AllowedActions, schema: string): string[] =>
  (open.get(GUEST) ?? []).includes('search')
    ? []
    : [`Visitors may not read it. If a page shows it to them: treadle role allow guest ${schema} search detail`];

export const command: CommandSpec = {
  arguments: [
    {
      name: 'role',
      description: 'slug of the role: guest is everybody, user everybody who is logged in, app every app',
    },
    { name: 'schema', description: 'name of the schema', of: 'schema' },
    { name: 'action', description: `what it may do: ${ACTIONS.join(', ')}`, isRest: true },
  ],
  options: [
    { name: 'only', description: 'closes the schema to everybody else, instead of writing down what is open today' },
  ],
  isWriting: true,
  examples: ['treadle role allow editor article create update', 'treadle role allow guest article search detail'],
  async run(invocation) {
    const { values } = invocation;
    const [slug, schema] = [getText(values, 'role'), getText(values, 'schema')];
    const actions = readActions(getList(values, 'action', true));
    const definitions = await readDefinitions(invocation);
    const roles = new Map([...definitions.role.values()].map(({ value }) => [value.slug, value] as const));
    if (!roles.has(slug) && !isBuiltIn(slug)) {
      const known = [GUEST, USER, APP, ...roles.keys()];
      throw createUsageError(
        `There is no role "${slug}".`,
        `${toDidYouMean(slug, known)} Create one: treadle role create ${slug}`,
      );
    }
    if (!definitions.schema.has(schema))
      throw createUsageError(`There is no schema "${schema}".`, toDidYouMean(schema, definitions.schema.keys()));
    const isRuled = [...roles.values()].some(({ data }) => data?.[schema] !== undefined);
    const open: AllowedActions =
      isRuled || isOn(values, 'only') ? new Map() : listOpenActions(await compilePlan(invocation), schema);
    const wanted: AllowedActions = new Map([...open, [slug, [...new Set([...(open.get(slug) ?? []), ...actions])]]]);
    const changes = [...wanted].map(([name, list]) => ({
      kind: 'role' as const,
      name,
      value: allowActions(roles, name, schema, list),
    }));
    const files = await applyChanges(invocation, changes);
    const kept = actions.filter((action) => typeof roles.get(slug)?.data?.[schema]?.[action] === 'object');
    const written = [...open].filter(([name]) => name !== slug).map(([name, list]) => toLine(name, schema, list));
    return toOutcome(invocation, files, {
      data: { role: slug, schema, actions, open: Object.fromEntries(open) },
      lines: [
        toLine(slug, schema, actions),
        ...kept.map((action) => `${action} keeps the rule that config/role/${slug}.json has`),
        ...(isRuled ? [] : [`${schema} is closed now to what no role allows.`]),
        ...(written.length === 0
          ? []
          : ['Written down, because it is open today (--only leaves it out):', ...written.map((line) => `  ${line}`)]),
        ...(isRuled || slug === GUEST ? [] : toClosed(open, schema)),
        ...(isRuled
          ? []
          : ['Pages that write it for others need an action of their own; the log names each that is refused.']),
      ],
      next: ['treadle check'],
    });
  },
};
