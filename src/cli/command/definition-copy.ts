import { systemRandom } from '../../core/clock.ts';
import { createClient } from '../../edit/client.ts';
import { KIND_WORDS } from '../../model/kind-words.ts';
import { copyDefinition } from '../../model/rename/copy.ts';
import type { DefinitionKind, Hook } from '../../model/shape.ts';
import { readEdited, refuseTaken, saveDefinition } from '../change/edited.ts';
import { tellClient } from '../client.ts';
import { changeKeys, toUpdateOptions } from '../keys/key.ts';
import { EXAMPLES, KEYS, toNameArgument } from '../keys/kinds.ts';
import { createJudges } from '../question/judge.ts';
import { findNameError, findSchemaNameError } from '../question/name.ts';
import { type CommandSpec, getText } from '../spec.ts';

/** Warns about a copy that sends the same events to the same URL. */
function findToldTwice(
  source: object,
  copy: object,
  { from, to }: { readonly from: string; readonly to: string },
): string[] {
  const before: Partial<Hook> = source;
  const { url, event, type }: Partial<Hook> = copy;
  if (url === undefined || url === '' || url !== before.url || event !== before.event) return [];
  const what = type === before.type ? 'with the same type' : 'once by each type';
  return [`${url} now receives each event twice, ${what}: by "${from}" and by "${to}". Give one of them another URL.`];
}

/** `treadle <noun> copy <name> <new>`; flags change the copy. */
export function toCommand(kind: DefinitionKind): CommandSpec {
  const keys = KEYS[kind];
  const argument = toNameArgument(kind);
  return {
    arguments: [
      { name: argument, description: `name of the ${KIND_WORDS[kind].one}`, of: kind },
      { name: 'new', description: "the copy's name", check: kind === 'schema' ? findSchemaNameError : findNameError },
    ],
    options: toUpdateOptions(keys),
    isWriting: true,
    judges: (invocation) => createJudges(kind, 'new', invocation),
    examples: [`treadle ${kind} copy ${EXAMPLES[kind].name} ${EXAMPLES[kind].copy}`],
    async run(invocation) {
      const { values } = invocation;
      const from = getText(values, argument);
      const to = getText(values, 'new');
      const { definitions, value: source } = await readEdited(invocation, kind, from);
      await refuseTaken(invocation, definitions, kind, to);
      const copy = copyDefinition(definitions, kind, from, to);
      const client =
        kind === 'app'
          ? createClient(systemRandom, !('secretHash' in copy) || copy.secretHash === undefined)
          : undefined;
      const value = changeKeys({ ...copy, ...client?.keys }, keys, values);
      const twice = kind === 'webhook' ? findToldTwice(source, value, { from, to }) : [];
      return saveDefinition(
        invocation,
        { kind, name: to, value },
        {
          ...tellClient(invocation, client),
          advice: twice,
          next: [
            ...(twice.length > 0 ? [`treadle webhook update ${to} --url <url>`] : []),
            kind === 'schema' ? 'treadle migrate --dry-run' : `treadle ${kind} show ${to}`,
          ],
        },
      );
    },
  };
}
