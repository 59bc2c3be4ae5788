import type { DefinitionKind } from '../../model/shape.ts';
import { SAMPLE_NAMES } from '../catalog.ts';
import { applyChanges, getDefinition, readDefinitions, toOutcome } from '../definition.ts';
import { createInterruption } from '../failure.ts';
import { type CommandSpec, getText } from '../spec.ts';

const AFTER: Readonly<Partial<Record<DefinitionKind, readonly string[]>>> = {
  schema: ['treadle migrate --dry-run'],
};

/** `treadle <noun> remove <name>`. Removes the file only: rows stay until a migration that is allowed to lose them. */
export function toCommand(kind: DefinitionKind): CommandSpec {
  return {
    arguments: [{ name: 'name', description: `name of the ${kind}` }],
    isWriting: true,
    examples: [
      `treadle ${kind} remove ${SAMPLE_NAMES[kind]}`,
      `treadle ${kind} remove ${SAMPLE_NAMES[kind]} --dry-run`,
    ],
    async run(invocation) {
      const definitions = await readDefinitions(invocation);
      const name = getText(invocation.values, 'name');
      getDefinition(definitions, kind, name);
      const isAsked = invocation.prompt && !invocation.isForced && !invocation.isDryRun;
      if (isAsked && !(await invocation.prompt.confirm(`Remove config/${kind}/${name}.json?`, false))) {
        throw createInterruption();
      }
      const files = await applyChanges(invocation, [{ kind, name, value: undefined }]);
      const lines = kind === 'schema' ? ['The table and its rows stay in the database.'] : [];
      return toOutcome(invocation, files, { lines, next: AFTER[kind] ?? ['treadle check'] });
    },
  };
}
