import { systemRandom } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import { createRootSecret } from '../../core/secret.ts';
import { deriveWebhookSecret } from '../../core/webhook-secret.ts';
import { readEnvironment } from '../../project/environment.ts';
import { getDefinition, readDefinitions } from '../definition.ts';
import { type CommandSpec, findText, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the hook' }],
  options: [{ name: 'app', value: 'name', description: "the secret of this app's address instead of the hook's own" }],
  examples: ['treadle webhook secret profile-created', 'treadle webhook secret profile-created --app reader'],
  async run(invocation) {
    const { values } = invocation;
    const definitions = await readDefinitions(invocation);
    const name = getText(values, 'name');
    const hook = getDefinition(definitions, 'webhook', name);
    const app = findText(values, 'app');
    const clientId = app === undefined ? undefined : getDefinition(definitions, 'app', app).clientId;
    const { secret } = readEnvironment(invocation.root(), invocation.env);
    if (secret === undefined) {
      throw new TreadleError('CLI_SECRET_MISSING', 'TREADLE_SECRET is not set, and hook secrets are made from it.', {
        status: 400,
        hint: 'Copy .env.example to .env and fill it in.',
      });
    }
    const webhookSecret = deriveWebhookSecret(
      createRootSecret(secret, systemRandom),
      hook.secretName ?? name,
      clientId,
      hook.secretVersion ?? 1,
    );
    return { data: { name, app: app ?? null, webhookSecret }, lines: [webhookSecret] };
  },
};
