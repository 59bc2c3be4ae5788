import type { Definitions } from '../../model/definitions.ts';
import { printDefinition } from '../../model/json/json-schema.ts';
import { KIND_WORDS } from '../../model/kind-words.ts';
import type { DefinitionKind } from '../../model/shape.ts';
import { getDefinition, readDefinitions } from '../change/definition.ts';
import { getHook } from '../hook/known.ts';
import { EXAMPLES } from '../keys/kinds.ts';
import { type CommandSpec, getText, type Invocation, type Outcome } from '../spec.ts';

/** `treadle <noun> show <name>`. */
export function toCommand(kind: DefinitionKind): CommandSpec {
  return {
    arguments: [{ name: 'name', description: `name of the ${KIND_WORDS[kind].one}`, of: kind }],
    examples: [`treadle ${kind} show ${EXAMPLES[kind].name}`],
    async run(invocation) {
      const definitions = await readDefinitions(invocation);
      const name = getText(invocation.values, 'name');
      if (kind === 'webhook') return showHook(invocation, definitions, name);
      const value = getDefinition(definitions, kind, name);
      return toShown(kind, value);
    },
  };
}

const toShown = (kind: DefinitionKind, value: object): Outcome => ({
  data: value,
  lines: printDefinition(kind, value).trimEnd().split('\n'),
});

/** The hook may be defined in the project's code. */
async function showHook(invocation: Invocation, definitions: Definitions, name: string): Promise<Outcome> {
  const { terminal } = invocation;
  const { definition, code } = await getHook(invocation, definitions, name);
  if (code !== undefined) terminal.say(terminal.dim(`It is not a file of config/webhook: app.webhook in ${code}`));
  return toShown('webhook', definition);
}
