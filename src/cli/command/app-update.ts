import { findAdvice } from '../../edit/advice.ts';
import { applyChanges } from '../../edit/change.ts';
import type { App } from '../../model/shape.ts';
import { createClient, toClientLines } from '../client.ts';
import { getDefinition, readDefinitions, toOutcome } from '../definition.ts';
import { createUsageError } from '../failure.ts';
import { changeKeys, toUpdateOptions } from '../keys/key.ts';
import { KEYS } from '../keys/kinds.ts';
import { askUpdate, needAny } from '../question/update.ts';
import { type CommandSpec, getText, isOn, type Values } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the app', of: 'app' }],
  options: [
    ...toUpdateOptions(KEYS.app),
    { name: 'new-secret', description: 'makes a new client secret, shown once; the old one works for one more day' },
    { name: 'public', description: 'removes the client secret: for apps that cannot keep one' },
  ],
  isWriting: true,
  examples: [
    'treadle app update reader --add-redirect-uri https://example.org/callback --add-scope profile_read',
    'treadle app update reader --new-secret --json',
  ],
  async ask(invocation, prompt) {
    const { values } = invocation;
    if (isSecretMeant(values)) return;
    const value = getDefinition(await readDefinitions(invocation), 'app', getText(values, 'name'));
    await askUpdate({ keys: KEYS.app, value, values, prompt });
  },
  async run(invocation) {
    const { values } = invocation;
    if (!isSecretMeant(values)) needAny(KEYS.app, values);
    if (isOn(values, 'new-secret') && isOn(values, 'public')) {
      throw createUsageError('--new-secret and --public cannot be combined.', 'Choose one.');
    }
    const name = getText(values, 'name');
    const before = getDefinition(await readDefinitions(invocation), 'app', name);
    const client = isSecretMeant(values) ? createClient(isOn(values, 'public'), before.clientId) : undefined;
    const value = changeKeys(client === undefined ? before : withClient(before, client.keys), KEYS.app, values);
    const files = await applyChanges(invocation, [{ kind: 'app', name, value }]);
    const isTold = client !== undefined && !invocation.isDryRun;
    const advice = await findAdvice(invocation, 'app', name);
    return toOutcome(invocation, files, {
      data: { ...(isTold ? { clientId: client.clientId, clientSecret: client.clientSecret } : {}), advice },
      lines: [...(isTold ? toClientLines(client) : []), ...advice],
      next: [`treadle app show ${name}`],
    });
  },
};

const isSecretMeant = (values: Values): boolean => isOn(values, 'new-secret') || isOn(values, 'public');

function withClient(app: App, keys: Pick<App, 'clientId' | 'secretHash'>): App {
  const { secretHash: _, ...rest } = app;
  return { ...rest, ...keys };
}
