import { readDefinitions } from '../change/definition.ts';
import { deriveSecret } from '../hook/secret.ts';
import { type CommandSpec, findText, getText, refuseEmpty } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the hook', of: 'webhook' }],
  options: [
    {
      name: 'app',
      value: 'app',
      description: "the secret for this app instead of the hook's own URL: a name in config/app, or a client id",
    },
  ],
  examples: ['treadle webhook secret profile-created', 'treadle webhook secret profile-created --app reader'],
  async run(invocation) {
    const { values } = invocation;
    refuseEmpty(values, ['app']);
    const name = getText(values, 'name');
    const app = findText(values, 'app');
    const webhookSecret = await deriveSecret(invocation, await readDefinitions(invocation), { hook: name, app });
    return { data: { name, app: app ?? null, webhookSecret }, lines: [webhookSecret] };
  },
};
