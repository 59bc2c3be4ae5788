import {
  compareReach,
  listDoors,
  listOpenActions,
  OPEN_ANSWERS,
  type OpenAnswer,
  type ReachRow,
} from '../../access/open.ts';
import type { Door } from '../../access/page-doors.ts';
import { ACTIONS, type Action } from '../../core/access.ts';
import { findOwn } from '../../core/record.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import { applyChanges } from '../../edit/change.ts';
import { APP, GUEST, isBuiltIn, USER } from '../../model/role/role.ts';
import { type AllowedActions, allowActions } from '../../model/role/role-allow.ts';
import type { Role } from '../../model/shape.ts';
import { readTextFiles } from '../../project/rename/text-files.ts';
import { compilePlan } from '../application.ts';
import { readDefinitions, toOutcome } from '../change/definition.ts';
import { createUsageError } from '../failure.ts';
import { type CommandSpec, getList, getText, type Invocation, isOn, type Values } from '../spec.ts';

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
  `${findOwn(HOLDERS, slug) ?? slug} may ${actions.join(', ')} ${schema}`;

/** What the answers keep open, for the question and the help. */
const ANSWERS: Readonly<Record<OpenAnswer, string>> = {
  keep: 'everybody keeps reading, users keep writing and linking, as pages, calls and relations do today (recommended)',
  calls: 'only what API calls do stays open',
  none: 'nobody else keeps anything',
};

/** What a change of roles means for everybody. */
interface Change {
  readonly open: AllowedActions;
  readonly after: ReadonlyMap<string, Role>;
  readonly table: readonly ReachRow[];
}

interface AllowParams {
  readonly roles: ReadonlyMap<string, Role>;
  readonly slug: string;
  readonly schema: string;
  readonly actions: readonly Action[];
  readonly doors: readonly Door[];
  readonly isRuled: boolean;
}

/** The change that an answer means. */
function toChange({ roles, slug, schema, actions, doors, isRuled }: AllowParams, answer: OpenAnswer): Change {
  const open: AllowedActions = isRuled ? new Map() : listOpenActions(doors, answer, slug);
  const wanted = new Map([...open, [slug, [...new Set([...(open.get(slug) ?? []), ...actions])]] as const]);
  const after = new Map(roles);
  for (const [name, list] of wanted) after.set(name, allowActions(after, name, schema, list));
  return { open, after, table: compareReach(schema, { before: roles, after, doors }) };
}

const toWords = (actions: readonly Action[]): string => (actions.length === 0 ? '-' : actions.join(', '));

/** The table of who may do what before and after, as lines of equal columns. */
function printTable(rows: readonly ReachRow[]): string[] {
  const cells = [
    ['who', 'today', 'then', 'loses'],
    ...rows.map(({ who, before, after, loses }) => [who, toWords(before), toWords(after), toWords(loses)]),
  ];
  const widths = [0, 1, 2].map((index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  return cells.map((line) => `  ${line.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ')}`.trimEnd());
}

const readAnswer = (values: Values): OpenAnswer | undefined => {
  if (isOn(values, 'only')) return 'none';
  const given = values.open;
  return OPEN_ANSWERS.find((each) => each === given);
};

/** The answer that was given, or is chosen at the prompt; without a terminal everybody keeps what is open. */
async function findAnswer({ values, prompt, isForced }: Invocation, params: AllowParams): Promise<OpenAnswer> {
  const given = readAnswer(values);
  if (given !== undefined || params.isRuled || !prompt || isForced) return given ?? 'keep';
  const choices = OPEN_ANSWERS.map((value) => ({
    value,
    name: ANSWERS[value],
    description: printTable(toChange(params, value).table).join('\n'),
  }));
  const answer = await prompt.choice(`No role has ruled ${params.schema} yet. What stays open of it?`, choices, 'keep');
  return OPEN_ANSWERS.find((each) => each === answer) ?? 'keep';
}

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
    {
      name: 'open',
      value: 'answer',
      choices: OPEN_ANSWERS,
      description: `what stays open of a schema that no role has ruled yet: ${OPEN_ANSWERS.map((each) => `${each}: ${ANSWERS[each]}`).join('; ')}. Default: keep`,
    },
    { name: 'only', description: 'the same as --open none: closes the schema to everybody else' },
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
    const plan = await compilePlan(invocation);
    const doors = isRuled ? [] : listDoors(plan, await readTextFiles(invocation.root()), schema);
    const params: AllowParams = { roles, slug, schema, actions, doors, isRuled };
    const answer = await findAnswer(invocation, params);
    const { open, after, table } = toChange(params, answer);
    const changes = [...after]
      .filter(([name, value]) => roles.get(name) !== value)
      .map(([name, value]) => ({ kind: 'role' as const, name, value }));
    const files = await applyChanges(invocation, changes);
    const ruled = actions.filter((action) => typeof roles.get(slug)?.data?.[schema]?.[action] === 'object');
    const written = [...open].filter(([name]) => name !== slug).map(([name, list]) => toLine(name, schema, list));
    return toOutcome(invocation, files, {
      data: {
        role: slug,
        schema,
        actions,
        open: Object.fromEntries(open),
        ...(isRuled ? {} : { answer }),
        table,
        ...(isRuled
          ? {}
          : { doors: doors.map(({ role, actions: opened, kind, by }) => ({ role, actions: opened, kind, by })) }),
      },
      lines: [
        toLine(slug, schema, actions),
        ...ruled.map((action) => `${action} keeps the rule that config/role/${slug}.json has`),
        ...(isRuled ? [] : [`${schema} is closed now to what no role allows.`]),
        ...(written.length === 0
          ? []
          : [
              `Written down, because it is open today (--only leaves it out, --open calls keeps API calls alone):`,
              ...written.map((line) => `  ${line}`),
            ]),
        `Who may do what with ${schema}:`,
        ...printTable(table),
      ],
      next: ['treadle check'],
    });
  },
};
