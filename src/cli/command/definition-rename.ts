import { renameDefinition } from '../../model/rename/rename.ts';
import type { DefinitionKind } from '../../model/shape.ts';
import { SAMPLE_NAMES } from '../catalog.ts';
import { getDefinition, readDefinitions, refuseExisting } from '../definition.ts';
import { refuseCodeHook, refuseHookOfCode } from '../hook/known.ts';
import { findNameFault } from '../question/name.ts';
import { confirmRename, RENAME_OPTIONS } from '../question/rename.ts';
import { applyRename } from '../rename.ts';
import { type CommandSpec, getText, isOn } from '../spec.ts';

type Kind = Exclude<DefinitionKind, 'schema'>;

const SAMPLE_NEW: Readonly<Record<Kind, string>> = {
  fieldset: 'place',
  rest: 'public-article-list',
  scope: 'profile_see',
  webhook: 'signed-up',
  app: 'browser',
  role: 'author',
};

/** What the database knows by the former name, which no file can change. */
const NOTES: Readonly<Record<Kind, (from: string, to: string) => readonly string[]>> = {
  fieldset: () => [],
  rest: () => ['Its path stays, so that clients of the API go on. Its page in the docs has another address.'],
  scope: (from, to) => [
    `Tokens and apps that were registered in the browser hold "${from}" still: people must be asked for "${to}", and those apps changed.`,
  ],
  webhook: (from) => [
    `Its signing secret stays: "secretName" says that it is made from "${from}".`,
    'Once the server has it, what waits is sent, and apps that were registered in the browser go on to hear of it.',
  ],
  app: () => ['Its client id stays, and with it its tokens.'],
  role: (from, to) => [
    `Users who hold "${from}" lose it until they are given "${to}": treadle user list, then treadle emit auth-update auth_id=<id> auth_type=${to}`,
  ],
};

/** `treadle <noun> rename <name> <new>`. */
export function toCommand(kind: Kind): CommandSpec {
  const sample = SAMPLE_NAMES[kind];
  return {
    arguments: [
      { name: 'name', description: `name of the ${kind}`, of: kind },
      { name: 'new', description: 'its new name', check: findNameFault },
    ],
    options: RENAME_OPTIONS,
    isWriting: true,
    examples: [
      `treadle ${kind} rename ${sample} ${SAMPLE_NEW[kind]}`,
      `treadle ${kind} rename ${sample} ${SAMPLE_NEW[kind]} --dry-run`,
    ],
    async run(invocation) {
      const { values } = invocation;
      const definitions = await readDefinitions(invocation);
      const from = getText(values, 'name');
      const to = getText(values, 'new');
      if (kind === 'webhook') await refuseHookOfCode(invocation, definitions, from);
      getDefinition(definitions, kind, from);
      refuseExisting(definitions, kind, to);
      if (kind === 'webhook') await refuseCodeHook(invocation, to);
      const moved = { kind, from, to };
      const renamed = renameDefinition(definitions, moved);
      await confirmRename(
        invocation,
        `Rename config/${kind}/${from}.json to ${to}.json, with every list that names it?`,
      );
      const notes = NOTES[kind](from, to);
      return applyRename(invocation, { definitions, renamed, moved, isWithCode: isOn(values, 'code'), notes });
    },
  };
}
