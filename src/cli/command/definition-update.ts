import { applyJudged, findAdvice } from '../../edit/advice.ts';
import { applyChanges } from '../../edit/change.ts';
import type { DefinitionKind } from '../../model/shape.ts';
import { SAMPLE_NAMES } from '../catalog.ts';
import { getDefinition, readDefinitions, toOutcome } from '../definition.ts';
import { refuseHookOfCode } from '../hook/known.ts';
import { changeKeys, toUpdateOptions } from '../keys/key.ts';
import { KEYS } from '../keys/kinds.ts';
import { toNameArgument } from '../keys/name.ts';
import { askUpdate, needAny } from '../question/update.ts';
import { type CommandSpec, getText } from '../spec.ts';

const SAMPLES: Readonly<Record<DefinitionKind, readonly string[]>> = {
  schema: ['--plural Posts --display "{{article_title}}"', '--unset icon'],
  fieldset: ['--singular "Postal address"'],
  rest: [
    '--title "Find articles" --add-parameter sort=-article_published',
    '--remove-parameter sort --unset description',
  ],
  scope: ['--add-call user-profile-detail', '--name "See who you are" --description "Your name"'],
  webhook: ['--url https://example.org/hook --delivery inline', '--unset url'],
  app: ['--add-redirect-uri https://example.org/callback', '--scope profile_read --remember-consent'],
  role: ["--add-permission 'get:/admin/system/model/article/**'", '--name Author'],
};

/** `treadle <noun> update <name>`. */
export function toCommand(kind: DefinitionKind): CommandSpec {
  const keys = KEYS[kind];
  const argument = toNameArgument(kind);
  return {
    arguments: [{ name: argument, description: `name of the ${kind}`, of: kind }],
    options: toUpdateOptions(keys),
    isWriting: true,
    examples: SAMPLES[kind].map((flags) => `treadle ${kind} update ${SAMPLE_NAMES[kind]} ${flags}`),
    async ask(invocation, prompt) {
      const { values } = invocation;
      const definitions = await readDefinitions(invocation);
      const name = getText(values, argument);
      if (kind === 'webhook') await refuseHookOfCode(invocation, definitions, name);
      const value = getDefinition(definitions, kind, name);
      await askUpdate({ keys, value, values, prompt });
    },
    async run(invocation) {
      const { values } = invocation;
      needAny(keys, values);
      const name = getText(values, argument);
      const definitions = await readDefinitions(invocation);
      if (kind === 'webhook') await refuseHookOfCode(invocation, definitions, name);
      const before = getDefinition(definitions, kind, name);
      const changes = [{ kind, name, value: changeKeys(before, keys, values) }];
      const next = [`treadle ${kind} show ${name}`, 'treadle check'];
      if (kind !== 'webhook') return toOutcome(invocation, await applyChanges(invocation, changes), { next });
      const files = await applyJudged(invocation, changes);
      const advice = await findAdvice(invocation, kind, name);
      return toOutcome(invocation, files, { data: { advice }, lines: advice, next });
    },
  };
}
