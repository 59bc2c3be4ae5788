import { applyJudged } from '../../edit/advice.ts';
import { applyChanges } from '../../edit/change.ts';
import { copyDefinition } from '../../model/rename/copy.ts';
import type { App, DefinitionKind, Hook } from '../../model/shape.ts';
import { SAMPLE_NAMES } from '../catalog.ts';
import { createClient, toClientLines } from '../client.ts';
import { getDefinition, readDefinitions, refuseExisting, toOutcome } from '../definition.ts';
import { refuseCodeHook, refuseHookOfCode } from '../hook/known.ts';
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

/** What to say of a copy that tells the same address of the same events. */
function findToldTwice(
  source: Hook,
  copy: Hook,
  { from, to }: { readonly from: string; readonly to: string },
): string[] {
  if (copy.url === undefined || copy.url === '' || copy.url !== source.url || copy.event !== source.event) return [];
  const what = copy.type === source.type ? 'with the same type' : 'once by each type';
  return [
    `${copy.url} now receives each event twice, ${what}: by "${from}" and by "${to}". Give one of them another URL.`,
  ];
}

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
      if (kind === 'webhook') await refuseHookOfCode(invocation, definitions, from);
      const source = getDefinition(definitions, kind, from);
      refuseExisting(definitions, kind, to);
      if (kind === 'webhook') await refuseCodeHook(invocation, to);
      const copy = copyDefinition(definitions, kind, from, to);
      const client = kind === 'app' ? createClient((copy as App).secretHash === undefined) : undefined;
      const value = changeKeys({ ...copy, ...client?.keys }, keys, values);
      const apply = kind === 'webhook' ? applyJudged : applyChanges;
      const files = await apply(invocation, [{ kind, name: to, value }]);
      const isTold = client !== undefined && !invocation.isDryRun;
      const twice = kind === 'webhook' ? findToldTwice(source as Hook, value as Hook, { from, to }) : [];
      return toOutcome(invocation, files, {
        data: {
          ...(isTold ? { clientId: client.clientId, clientSecret: client.clientSecret } : {}),
          ...(kind === 'webhook' ? { advice: twice } : {}),
        },
        lines: [...(isTold ? toClientLines(client) : []), ...twice],
        next: [
          ...(twice.length > 0 ? [`treadle webhook update ${to} --url <url>`] : []),
          kind === 'schema' ? 'treadle migrate --dry-run' : `treadle ${kind} show ${to}`,
        ],
      });
    },
  };
}
