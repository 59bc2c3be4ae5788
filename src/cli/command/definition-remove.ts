import type { DefinitionKind } from '../../model/shape.ts';
import { SAMPLE_NAMES } from '../catalog.ts';
import { getDefinition, readDefinitions } from '../definition.ts';
import { refuseHookOfCode } from '../hook/known.ts';
import { CASCADE, runRemoval } from '../run-removal.ts';
import { type CommandSpec, getText } from '../spec.ts';

const WORDS: Readonly<Record<DefinitionKind, string>> = {
  schema: 'the schema',
  fieldset: 'the fieldset',
  rest: 'the call',
  scope: 'the scope',
  webhook: 'the web hook',
  app: 'the app',
  role: 'the role',
};

/** What of a hook no file has. */
const toHookNote = (name: string): string =>
  `Apps registered in the browser that list "${name}" no longer receive it, and waiting deliveries are not sent.`;

/** `treadle <noun> remove <name>`. Removes files only: rows stay until a migration that is allowed to lose them. */
export function toCommand(kind: DefinitionKind): CommandSpec {
  const sample = SAMPLE_NAMES[kind];
  return {
    arguments: [{ name: 'name', description: `name of the ${kind}`, of: kind }],
    options: [CASCADE],
    isWriting: true,
    examples: [`treadle ${kind} remove ${sample}`, `treadle ${kind} remove ${sample} --cascade --dry-run`],
    async run(invocation) {
      const definitions = await readDefinitions(invocation);
      const name = getText(invocation.values, 'name');
      if (kind === 'webhook') await refuseHookOfCode(invocation, definitions, name);
      getDefinition(definitions, kind, name);
      const isSchema = kind === 'schema';
      return runRemoval(invocation, {
        definitions,
        target: { kind, name },
        words: `${WORDS[kind]} "${name}"`,
        ...(isSchema ? { stays: 'The table and its rows stay in the database' } : {}),
        ...(kind === 'webhook' ? { notes: [toHookNote(name)] } : {}),
        next: isSchema ? ['treadle migrate --dry-run'] : ['treadle check'],
      });
    },
  };
}
