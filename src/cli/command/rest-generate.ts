import { toDidYouMean } from '../../core/text/suggest.ts';
import { applyChanges, type Change } from '../../edit/change.ts';
import { generateCalls, listUsualActions } from '../../edit/generate-calls.ts';
import { ACTIONS, type Action, USUAL_ACTIONS } from '../../edit/usual-call.ts';
import type { Definitions } from '../../model/definitions.ts';
import { fieldKinds } from '../../model/field/field-kind.ts';
import { toColumn } from '../../model/names.ts';
import { ACCESS, type Access, type Field, type Rest, type Schema } from '../../model/shape.ts';
import { getDefinition, readDefinitions, toOutcome } from '../change/definition.ts';
import { createUsageError } from '../failure.ts';
import { type CommandSpec, findText, getChoice, getList, getText } from '../spec.ts';

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
    const access = getChoice(values, 'access', ACCESS);
    const actions = toActions(getList(values, 'action', true), access);
    const made = generateCalls(definitions, { schema, access, actions, slug: findText(values, 'scope') });
    const { existing: kept, skipped, scopes } = made;
    const along = toAlongLines(definitions, schema);
    const files = await applyChanges(invocation, [...made.calls, ...scopes]);
    return toOutcome(invocation, files, {
      data: { kept, skipped, along },
      lines: [...toUnchangedLines(kept, made.fresh.length), ...skipped, ...along],
      next: toNext(made.first?.value, scopes),
    });
  },
};

/** The columns of 1:1 relations that come along with each row, for whoever may call. */
function toAlongLines(definitions: Definitions, { name, relations = [] }: Schema): string[] {
  return relations.flatMap((relation) => {
    const target = relation.kind === '1:1' && relation.schema !== name ? relation.schema : '';
    const fields = definitions.schema.get(target)?.value.fields ?? [];
    const isShown = ({ type, private: isPrivate }: Field): boolean =>
      isPrivate !== true && fieldKinds[type].sql !== undefined && !fieldKinds[type].isSecret;
    const columns = fields.filter(isShown).map((field) => toColumn(target, field.name));
    return columns.length === 0 ? [] : [`Each row brings columns of its ${target} along: ${columns.join(', ')}.`];
  });
}

function toUnchangedLines(kept: number, fresh: number): string[] {
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
  if (given.length === 0) return listUsualActions(access);
  for (const word of given) {
    if (!ACTIONS.some((action) => action === word)) {
      throw createUsageError(`--action can't be "${word}".`, toDidYouMean(word, ACTIONS));
    }
  }
  return ACTIONS.filter((action) => given.includes(action));
}
