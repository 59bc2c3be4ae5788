import { KIND_WORDS } from '../../model/kind-words.ts';
import { renameDefinition } from '../../model/rename/rename.ts';
import type { DefinitionKind } from '../../model/shape.ts';
import { readEdited, refuseTaken } from '../change/edited.ts';
import { CODE, runRename } from '../change/run-rename.ts';
import { EXAMPLES } from '../keys/kinds.ts';
import { createJudges } from '../question/judge.ts';
import { findNameError } from '../question/name.ts';
import { type CommandSpec, getText } from '../spec.ts';

type Kind = Exclude<DefinitionKind, 'schema'>;

/** What the database stores under the old name, which no file can change. */
const NOTES: Readonly<Record<Kind, (from: string, to: string) => readonly string[]>> = {
  fieldset: () => [],
  rest: () => ['Its path stays, so API clients keep working. Its page in the docs moves.'],
  scope: (from, to) => [
    `Existing tokens, and apps registered in the browser, still have "${from}". Change those apps, and let users grant "${to}".`,
  ],
  webhook: (from) => [
    `Its signing secret stays: "secretName" keeps deriving it from "${from}".`,
    'Waiting deliveries are sent, and apps registered in the browser keep receiving it, once the server has loaded the change.',
  ],
  app: () => ['Its client id and its tokens stay.'],
  role: (from, to) => [
    `Users who hold "${from}" lose it until they are given "${to}": treadle user list, then treadle user role add <email> ${to} and treadle user role remove <email> ${from}`,
  ],
};

/** `treadle <noun> rename <name> <new>`. */
export function toCommand(kind: Kind): CommandSpec {
  const { name: sample, rename } = EXAMPLES[kind];
  return {
    arguments: [
      { name: 'name', description: `name of the ${KIND_WORDS[kind].one}`, of: kind },
      { name: 'new', description: 'its new name', check: findNameError },
    ],
    options: [CODE],
    isWriting: true,
    judges: (invocation) => createJudges(kind, 'new', invocation),
    examples: [`treadle ${kind} rename ${sample} ${rename}`, `treadle ${kind} rename ${sample} ${rename} --dry-run`],
    async run(invocation) {
      const { values } = invocation;
      const from = getText(values, 'name');
      const to = getText(values, 'new');
      const { definitions } = await readEdited(invocation, kind, from);
      await refuseTaken(invocation, definitions, kind, to);
      const moved = { kind, from, to };
      const renamed = renameDefinition(definitions, moved);
      const notes = NOTES[kind](from, to);
      return runRename(invocation, {
        question: `Rename config/${kind}/${from}.json to ${to}.json, with every list that names it?`,
        definitions,
        renamed,
        moved,
        notes,
      });
    },
  };
}
