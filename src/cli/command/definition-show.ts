import { printDefinition } from '../../model/json-schema.ts';
import type { DefinitionKind } from '../../model/shape.ts';
import { SAMPLE_NAMES } from '../catalog.ts';
import { getDefinition, readDefinitions } from '../definition.ts';
import { toSentence } from '../question/relation.ts';
import { type CommandSpec, getText } from '../spec.ts';

/** `treadle <noun> show <name>`. */
export function toCommand(kind: DefinitionKind): CommandSpec {
  return {
    arguments: [{ name: 'name', description: `name of the ${kind}` }],
    examples: [`treadle ${kind} show ${SAMPLE_NAMES[kind]}`],
    async run(invocation) {
      const definitions = await readDefinitions(invocation);
      const name = getText(invocation.values, 'name');
      const value = getDefinition(definitions, kind, name);
      const schema = kind === 'schema' ? definitions.schema.get(name)?.value : undefined;
      for (const relation of schema?.relations ?? []) {
        invocation.terminal.say(toSentence(schema?.singular ?? name, relation));
      }
      return { data: value, lines: printDefinition(kind, value).trimEnd().split('\n') };
    },
  };
}
