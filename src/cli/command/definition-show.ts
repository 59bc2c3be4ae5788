import { printDefinition } from '../../model/json-schema.ts';
import type { DefinitionKind } from '../../model/shape.ts';
import { SAMPLE_NAMES } from '../catalog.ts';
import { getDefinition, readDefinitions } from '../definition.ts';
import { type CommandSpec, getText } from '../spec.ts';

/** `treadle <noun> show <name>`. */
export function toCommand(kind: DefinitionKind): CommandSpec {
  return {
    arguments: [{ name: 'name', description: `name of the ${kind}`, of: kind }],
    examples: [`treadle ${kind} show ${SAMPLE_NAMES[kind]}`],
    async run(invocation) {
      const definitions = await readDefinitions(invocation);
      const name = getText(invocation.values, 'name');
      const value = getDefinition(definitions, kind, name);
      return { data: value, lines: printDefinition(kind, value).trimEnd().split('\n') };
    },
  };
}
