import { KIND_WORDS } from '../../model/kind-words.ts';
import type { DefinitionKind } from '../../model/shape.ts';
import { readEdited, saveDefinition } from '../change/edited.ts';
import { changeKeys, toUpdateOptions } from '../keys/key.ts';
import { EXAMPLES, KEYS, toNameArgument } from '../keys/kinds.ts';
import { askUpdate, needAny } from '../question/update.ts';
import { type CommandSpec, getText } from '../spec.ts';

/** `treadle <noun> update <name>`. */
export function toCommand(kind: DefinitionKind): CommandSpec {
  const keys = KEYS[kind];
  const argument = toNameArgument(kind);
  const { name: sample, update } = EXAMPLES[kind];
  return {
    arguments: [{ name: argument, description: `name of the ${KIND_WORDS[kind].one}`, of: kind }],
    options: toUpdateOptions(keys),
    isWriting: true,
    examples: update.map((flags) => `treadle ${kind} update ${sample} ${flags}`),
    async ask(invocation, prompt) {
      const { values } = invocation;
      const { value } = await readEdited(invocation, kind, getText(values, argument));
      await askUpdate({ keys, value, values, prompt });
    },
    async run(invocation) {
      const { values } = invocation;
      needAny(keys, values);
      const name = getText(values, argument);
      const { value } = await readEdited(invocation, kind, name);
      const next = [`treadle ${kind} show ${name}`, 'treadle check'];
      return saveDefinition(invocation, { kind, name, value: changeKeys(value, keys, values) }, { next });
    },
  };
}
