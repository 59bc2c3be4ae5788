import { KIND_WORDS } from '../../model/kind-words.ts';
import type { DefinitionKind } from '../../model/shape.ts';
import { readEdited } from '../change/edited.ts';
import { CASCADE, runRemoval } from '../change/run-removal.ts';
import { EXAMPLES } from '../keys/kinds.ts';
import { type CommandSpec, getText } from '../spec.ts';

/** State of a hook that is not in a file. */
const toHookNote = (name: string): string =>
  `Apps registered in the browser that list "${name}" no longer receive it, and waiting deliveries are not sent.`;

/** `treadle <noun> remove <name>`. Removes only files: rows stay until a migration with --allow-loss. */
export function toCommand(kind: DefinitionKind): CommandSpec {
  const sample = EXAMPLES[kind].name;
  const { one } = KIND_WORDS[kind];
  return {
    arguments: [{ name: 'name', description: `name of the ${one}`, of: kind }],
    options: [CASCADE],
    isWriting: true,
    examples: [`treadle ${kind} remove ${sample}`, `treadle ${kind} remove ${sample} --cascade --dry-run`],
    async run(invocation) {
      const name = getText(invocation.values, 'name');
      const { definitions } = await readEdited(invocation, kind, name);
      const isSchema = kind === 'schema';
      return runRemoval(invocation, {
        definitions,
        target: { kind, name },
        words: `the ${one} "${name}"`,
        ...(isSchema ? { stays: 'The table and its rows stay' } : {}),
        ...(kind === 'webhook' ? { notes: [toHookNote(name)] } : {}),
        next: isSchema ? ['treadle migrate --dry-run'] : ['treadle check'],
      });
    },
  };
}
