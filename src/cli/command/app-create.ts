import { systemRandom } from '../../core/clock.ts';
import { createRootSecret, createToken, digest } from '../../core/secret.ts';
import { deriveWebhookSecret } from '../../core/webhook-secret.ts';
import type { Definitions } from '../../model/definitions.ts';
import { isRedirectUri } from '../../model/shape/text.ts';
import type { App } from '../../model/shape.ts';
import { readEnvironment } from '../../project/environment.ts';
import { applyChanges, readDefinitions, refuseExisting, toOutcome } from '../definition.ts';
import { findNameFault } from '../question/name.ts';
import { type CommandSpec, findText, getList, getText, type Invocation, isOn, type Values } from '../spec.ts';

/** 128 bits: a client id is no secret, but no two may meet. */
const CLIENT_ID_BYTES = 16;
/** A letter first: one that began with "-" would read as a flag on a command line. */
const CLIENT_ID_PREFIX = 'app_';

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the app, such as reader', check: findNameFault }],
  options: [
    { name: 'title', value: 'text', description: 'title that a person reads when asked', isRequired: true },
    { name: 'redirect-uri', value: 'uri', description: 'where a person may be sent back to', isRepeated: true },
    { name: 'scope', value: 'slug', description: 'a scope that it may ask for or holds', isRepeated: true },
    { name: 'public', description: 'makes no secret: for apps that cannot keep one' },
    { name: 'webhook', value: 'url', description: 'address that receives its hooks' },
    { name: 'hook', value: 'webhook name', description: 'a hook that it receives', isRepeated: true },
    { name: 'owner', value: 'email', description: 'e-mail of the user who owns it' },
    { name: 'website', value: 'url', description: 'its own site' },
    { name: 'remember-consent', description: 'asks a person once only' },
  ],
  isWriting: true,
  examples: [
    'treadle app create reader --title Reader --redirect-uri http://127.0.0.1:4000/callback --scope profile_read',
    'treadle app create reader --title Reader --webhook https://example.org/hook --hook profile-created --json',
  ],
  async ask(invocation, prompt) {
    const { values } = invocation;
    const given = ['redirect-uri', 'scope', 'public', 'webhook', 'hook'].some((key) => values[key] !== undefined);
    if (given) return;
    const { scope } = await readDefinitions(invocation);
    const uri = await prompt.text('Redirect address (empty for the developer section’s own page):', {
      isOptional: true,
      check: (text) =>
        isRedirectUri(text) ? undefined : 'Use https, http on 127.0.0.1, or a private scheme with a dot.',
    });
    if (uri !== '') values['redirect-uri'] = [uri];
    const scopes = scope.size === 0 ? [] : await prompt.several('Scopes that it may ask for:', [...scope.keys()]);
    if (scopes.length > 0) values.scope = scopes;
  },
  async run(invocation) {
    const { values } = invocation;
    const name = getText(values, 'name');
    const definitions = await readDefinitions(invocation);
    refuseExisting(definitions, 'app', name);
    const clientId = createToken(systemRandom, CLIENT_ID_PREFIX, CLIENT_ID_BYTES);
    const clientSecret = isOn(values, 'public') ? null : createToken(systemRandom, 'tk_cs_');
    const app = toApp(values, clientId, clientSecret);
    const files = await applyChanges(invocation, [{ kind: 'app', name, value: app }]);
    if (invocation.isDryRun) return toOutcome(invocation, files);
    const webhookSecrets = deriveSecrets(invocation, definitions, app);
    const webhookSecret = Object.values(webhookSecrets)[0] ?? null;
    return toOutcome(invocation, files, {
      data: { clientId, clientSecret, webhookSecret, webhookSecrets },
      lines: [
        `client id      ${clientId}`,
        ...(clientSecret === null ? [] : [`client secret  ${clientSecret}   (shown this once)`]),
        ...Object.entries(webhookSecrets).map(([hook, secret]) => `hook secret    ${secret}   (${hook})`),
      ],
      next: [`treadle dev, then open /dialog/request?client_id=${clientId}`],
    });
  },
};

function toApp(values: Values, clientId: string, clientSecret: string | null): App {
  const app: App = { title: getText(values, 'title'), clientId };
  if (clientSecret !== null) app.secretHash = `sha256:${digest(clientSecret)}`;
  for (const key of ['owner', 'website', 'webhook'] as const) {
    const text = findText(values, key);
    if (text !== undefined) app[key] = text;
  }
  const lists = { redirectUris: 'redirect-uri', scopes: 'scope', hooks: 'hook' } as const;
  for (const key of ['redirectUris', 'scopes', 'hooks'] as const) {
    const list = getList(values, lists[key], key !== 'redirectUris');
    if (list.length > 0) app[key] = list;
  }
  if (isOn(values, 'remember-consent')) app.rememberConsent = true;
  return app;
}

/** Signing secrets by hook; none where the root secret is not at hand, which the command can do without. */
function deriveSecrets(invocation: Invocation, definitions: Definitions, app: App): Record<string, string> {
  const { secret } = readEnvironment(invocation.root(), invocation.env);
  if (secret === undefined) return {};
  const root = createRootSecret(secret, systemRandom);
  const entries = (app.hooks ?? []).map((hook) => {
    const version = definitions.webhook.get(hook)?.value.secretVersion ?? 1;
    return [hook, deriveWebhookSecret(root, hook, app.clientId, version)] as const;
  });
  return Object.fromEntries(entries);
}
