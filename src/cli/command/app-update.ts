import { systemRandom } from '../../core/clock.ts';
import { createClient } from '../../edit/client.ts';
import type { App } from '../../model/shape.ts';
import { readEdited, saveDefinition } from '../change/edited.ts';
import { tellClient } from '../client.ts';
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
    const { value } = await readEdited(invocation, 'app', getText(values, 'name'));
    await askUpdate({ keys: KEYS.app, value, values, prompt });
  },
  async run(invocation) {
    const { values } = invocation;
    if (!isSecretMeant(values)) needAny(KEYS.app, values);
    if (isOn(values, 'new-secret') && isOn(values, 'public')) {
      throw createUsageError('--new-secret and --public cannot be combined.', 'Choose one.');
    }
    const name = getText(values, 'name');
    const { value: before } = await readEdited(invocation, 'app', name);
    const client = isSecretMeant(values)
      ? createClient(systemRandom, isOn(values, 'public'), before.clientId)
      : undefined;
    const value = changeKeys(client === undefined ? before : withClient(before, client.keys), KEYS.app, values);
    const told = { ...tellClient(invocation, client), next: [`treadle app show ${name}`] };
    return saveDefinition(invocation, { kind: 'app', name, value }, told);
  },
};

const isSecretMeant = (values: Values): boolean => isOn(values, 'new-secret') || isOn(values, 'public');

function withClient(app: App, keys: Pick<App, 'clientId' | 'secretHash'>): App {
  const { secretHash: _, ...rest } = app;
  return { ...rest, ...keys };
}
