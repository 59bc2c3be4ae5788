import { TreadleError } from '../../core/errors.ts';
import { deriveWebhookSecret, toSecretVersion } from '../../core/secret/webhook-secret.ts';
import type { Definitions } from '../../model/definitions.ts';
import { readEnvironment } from '../../project/environment.ts';
import { getCommandSecret } from '../application.ts';
import type { Invocation } from '../spec.ts';
import { getHookApp } from './app.ts';
import { getHook } from './known.ts';

/**
 * The signing secret of a hook's own address, or of an app's.
 *
 * @param app The app's name or client id.
 * @throws CLI_SECRET_MISSING without TREADLE_SECRET. @throws CLI_USAGE where there is no such hook or app.
 */
export async function deriveSecret(
  invocation: Invocation,
  definitions: Definitions,
  { hook: name, app }: { readonly hook: string; readonly app: string | undefined },
): Promise<string> {
  const { definition: hook } = await getHook(invocation, definitions, name);
  const to = app === undefined ? undefined : await getHookApp(invocation, definitions, app);
  const { secret } = readEnvironment(invocation.root(), invocation.env);
  if (secret === undefined) {
    throw new TreadleError('CLI_SECRET_MISSING', 'TREADLE_SECRET is not set; hook secrets are derived from it.', {
      status: 400,
      hint: 'Copy .env.example to .env and fill it in.',
    });
  }
  return deriveWebhookSecret(
    await getCommandSecret(invocation, secret),
    hook.secretName ?? name,
    to?.clientId,
    toSecretVersion(hook.secretVersion, to?.secretVersion),
  );
}
