import { applyJudged, findAdvice } from '../../edit/advice.ts';
import type { Hook } from '../../model/shape.ts';
import { readDefinitions, refuseExisting, toOutcome } from '../definition.ts';
import { refuseCodeHook } from '../hook/known.ts';
import { changeKeys, toCreateOptions } from '../keys/key.ts';
import { KEYS } from '../keys/kinds.ts';
import { askHook } from '../question/hook.ts';
import { findNameFault } from '../question/name.ts';
import { type CommandSpec, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the hook, such as profile-created', check: findNameFault }],
  options: [...toCreateOptions(KEYS.webhook)],
  isWriting: true,
  examples: [
    'treadle webhook create article-created --title "Article created" --event system-model-create --parameter schema=article --type article.created --url https://example.org/hook',
  ],
  askFirst: askHook,
  async run(invocation) {
    const { values } = invocation;
    const name = getText(values, 'name');
    refuseExisting(await readDefinitions(invocation), 'webhook', name);
    await refuseCodeHook(invocation, name);
    const value = changeKeys({} as Hook, KEYS.webhook, values);
    const files = await applyJudged(invocation, [{ kind: 'webhook', name, value }]);
    const advice = await findAdvice(invocation, 'webhook', name);
    const next = [`treadle webhook secret ${name}`];
    return toOutcome(invocation, files, { data: { advice }, lines: advice, next });
  },
};
