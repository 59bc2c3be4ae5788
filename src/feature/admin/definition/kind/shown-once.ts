import { translate } from '../../../../core/translate.ts';
import { deriveWebhookSecret, toSecretVersion } from '../../../../core/webhook-secret.ts';
import type { Row } from '../../../../database/database.ts';
import type { Pair } from '../../../../developer/frame.ts';
import type { App } from '../../../../model/shape.ts';
import type { Context } from '../../../../plan/feature.ts';
import type { Draft } from './draft.ts';
import { readFacts, showKind, toPath } from './page.ts';

/** The signing secrets of an app's web hooks. */
async function listHookSecrets(context: Context, app: App): Promise<Row[]> {
  const { definitions, plan } = await readFacts(context);
  return (app.hooks ?? []).map((hook) => {
    const coded = plan.hooks.find(({ name }) => name === hook)?.definition;
    const { secretName = hook, secretVersion } = definitions.webhook.get(hook)?.value ?? coded ?? {};
    const version = toSecretVersion(secretVersion, app.secretVersion);
    return {
      id: `secret-${hook}`,
      hook,
      secret: deriveWebhookSecret(context.services.secret, secretName, app.clientId, version),
    };
  });
}

/** Shows the credentials of an app whose file was just written: its secret is shown only now. */
export async function showNewClient(context: Context, pair: Pair, { name, value, client }: Draft): Promise<void> {
  const app = value as unknown as App;
  showKind(context, pair, {
    kind: 'app',
    name: 'app-secret',
    title: translate('Credentials of {title}', { title: app.title }),
    of: name,
    data: {
      file: `config/app/${name}.json`,
      clientId: app.clientId,
      clientSecret: client?.clientSecret ?? undefined,
      secrets: await listHookSecrets(context, app),
      detail: toPath('app', 'detail', name),
    },
  });
}
