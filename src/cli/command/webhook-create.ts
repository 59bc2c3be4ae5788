import type { Hook } from '../../model/shape.ts';
import { applyChanges, readDefinitions, refuseExisting, toOutcome } from '../definition.ts';
import { changeKeys, toCreateOptions } from '../keys/key.ts';
import { KEYS } from '../keys/kinds.ts';
import { findNameFault } from '../question/name.ts';
import { type CommandSpec, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the hook, such as profile-created', check: findNameFault }],
  options: [...toCreateOptions(KEYS.webhook)],
  isWriting: true,
  examples: [
    'treadle webhook create article-created --title "Article created" --event system-model-create --parameter schema=article --type article.created --url https://example.org/hook',
  ],
  async run(invocation) {
    const { values } = invocation;
    const name = getText(values, 'name');
    refuseExisting(await readDefinitions(invocation), 'webhook', name);
    const value = changeKeys({} as Hook, KEYS.webhook, values);
    const files = await applyChanges(invocation, [{ kind: 'webhook', name, value }]);
    return toOutcome(invocation, files, { next: [`treadle webhook secret ${name}`] });
  },
};
