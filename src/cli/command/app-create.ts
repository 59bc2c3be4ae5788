import { systemRandom } from '../../core/clock.ts';
import { createRootSecret } from '../../core/secret/secret.ts';
import { deriveWebhookSecret, toSecretVersion } from '../../core/secret/webhook-secret.ts';
import { createClient } from '../../edit/client.ts';
import type { Definitions } from '../../model/definitions.ts';
import { findRedirectError } from '../../model/shape/text.ts';
import type { App } from '../../model/shape.ts';
import { readEnvironment } from '../../project/environment.ts';
import { readDefinitions, refuseExisting } from '../change/definition.ts';
import { saveDefinition } from '../change/edited.ts';
import { tellClient } from '../client.ts';
import { changeKeys, findKeyError, type KeySpec, toCreateOptions } from '../keys/key.ts';
import { KEYS } from '../keys/kinds.ts';
import { createJudges } from '../question/judge.ts';
import { askKeys } from '../question/key.ts';
import { findNameError } from '../question/name.ts';
import { type CommandSpec, getText, type Invocation, isOn } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the app, such as reader', check: findNameError }],
  options: [
    ...toCreateOptions(KEYS.app),
    { name: 'public', description: 'public app without a secret: for apps that cannot keep one' },
  ],
  isWriting: true,
  judges: (invocation) => createJudges('app', 'name', invocation),
  examples: [
    'treadle app create reader --title Reader --redirect-uri http://127.0.0.1:4000/callback --scope profile_read',
    'treadle app create reader --title Reader --webhook https://example.org/hook --hook profile-created --json',
  ],
  async ask(invocation) {
    const given = ['redirect-uri', 'scope', 'public', 'webhook', 'hook'].some(
      (key) => invocation.values[key] !== undefined,
    );
    if (given) return;
    const definitions = await readDefinitions(invocation);
    await askKeys(KEYS.app, invocation, { definitions, check: findAnswerError });
  },
  async run(invocation) {
    const { values } = invocation;
    const name = getText(values, 'name');
    const definitions = await readDefinitions(invocation);
    refuseExisting(definitions, 'app', name);
    const client = createClient(systemRandom, isOn(values, 'public'));
    const app = changeKeys<App>({ title: '', ...client.keys }, KEYS.app, values);
    const { data, lines } = tellClient(invocation, client);
    const webhookSecrets = invocation.isDryRun ? {} : deriveSecrets(invocation, definitions, app);
    const webhookSecret = Object.values(webhookSecrets)[0] ?? null;
    return saveDefinition(
      invocation,
      { kind: 'app', name, value: app },
      {
        data: { ...data, webhookSecret, webhookSecrets },
        lines: [
          ...lines,
          ...Object.entries(webhookSecrets).map(([hook, secret]) => `hook secret    ${secret}   (${hook})`),
        ],
        next: [`treadle dev, then open /dialog/request?client_id=${client.clientId}`],
      },
    );
  },
};

/** What is wrong with an answer; of a redirect URI, with the remedy. */
function findAnswerError(spec: KeySpec, typed: string): string | undefined {
  if (spec.key !== 'redirectUris') return findKeyError(spec, typed);
  const error = findRedirectError(typed);
  return error === undefined ? undefined : `It ${error}.`;
}

/** Signing secrets by hook; empty if the root secret is not available, because the command works without it. */
function deriveSecrets(invocation: Invocation, definitions: Definitions, app: App): Record<string, string> {
  const { secret } = readEnvironment(invocation.root(), invocation.env);
  if (secret === undefined) return {};
  const root = createRootSecret(secret, systemRandom);
  const entries = (app.hooks ?? []).map((hook) => {
    const { secretName = hook, secretVersion = 1 } = definitions.webhook.get(hook)?.value ?? {};
    const version = toSecretVersion(secretVersion, app.secretVersion);
    return [hook, deriveWebhookSecret(root, secretName, app.clientId, version)] as const;
  });
  return Object.fromEntries(entries);
}
