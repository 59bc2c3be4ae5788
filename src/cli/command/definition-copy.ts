import { copyDefinition } from '../../model/rename/copy.ts';
import type { App, DefinitionKind } from '../../model/shape.ts';
import { SAMPLE_NAMES } from '../catalog.ts';
import { createClient, toClientLines } from '../client.ts';
import { applyChanges, getDefinition, readDefinitions, refuseExisting, toOutcome } from '../definition.ts';
import { changeKeys, toUpdateOptions } from '../keys/key.ts';
import { KEYS } from '../keys/kinds.ts';
import { toNameArgument } from '../keys/name.ts';
import { findNameFault, findSchemaNameFault } from '../question/name.ts';
import { type CommandSpec, getText } from '../spec.ts';

const SAMPLES: Readonly<Record<DefinitionKind, string>> = {
  schema: 'post --plural Posts',
  fieldset: 'place',
  rest: 'public-article-newest --path /public/article/newest --add-parameter sort=-article_published',
  scope: 'profile_all --name "See all of you"',
  webhook: 'profile-changed --event system-model-update --type profile.changed',
  app: 'reader-test --title "Reader, trial"',
  role: 'author --name Author',
};

/** `treadle <noun> copy <name> <new>`; flags change the copy. */
export function toCommand(kind: DefinitionKind): CommandSpec {
  const keys = KEYS[kind];
  const argument = toNameArgument(kind);
  return {
    arguments: [
      { name: argument, description: `name of the ${kind}`, of: kind },
      { name: 'new', description: "the copy's name", check: kind === 'schema' ? findSchemaNameFault : findNameFault },
    ],
    options: toUpdateOptions(keys),
    isWriting: true,
    examples: [`treadle ${kind} copy ${SAMPLE_NAMES[kind]} ${SAMPLES[kind]}`],
    async run(invocation) {
      const { values } = invocation;
      const from = getText(values, argument);
      const to = getText(values, 'new');
      const definitions = await readDefinitions(invocation);
      getDefinition(definitions, kind, from);
      refuseExisting(definitions, kind, to);
      const copy = copyDefinition(definitions, kind, from, to);
      const client = kind === 'app' ? createClient((copy as App).secretHash === undefined) : undefined;
      const value = changeKeys({ ...copy, ...client?.keys }, keys, values);
      const files = await applyChanges(invocation, [{ kind, name: to, value }]);
      const isTold = client !== undefined && !invocation.isDryRun;
      return toOutcome(invocation, files, {
        ...(isTold ? { data: { clientId: client.clientId, clientSecret: client.clientSecret } } : {}),
        lines: isTold ? toClientLines(client) : [],
        next: [kind === 'schema' ? 'treadle migrate --dry-run' : `treadle ${kind} show ${to}`],
      });
    },
  };
}
