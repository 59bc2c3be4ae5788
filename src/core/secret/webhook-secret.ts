import { createHmac } from 'node:crypto';
import type { RootSecret } from './secret.ts';

const PREFIX = 'whsec_';

/**
 * The version of a receiver's secret: rises with the hook's version and with the app's.
 * @param hook The hook definition's `secretVersion`. Default 1.
 * @param app The app's `secretVersion`. Default 1.
 */
export const toSecretVersion = (hook = 1, app = 1): number => hook + app - 1;

/**
 * The signing secret of a web hook's receiver in its displayed form: `whsec_` and 32 bytes in base64. It is
 * derived, so that no file or table stores it.
 * @param clientId The receiving app's client id; undefined for the hook's own URL.
 * @param version As returned by {@link toSecretVersion}; a higher one makes a new secret.
 * @see Standard Webhooks 1.0.0, "Signature scheme"
 */
export function deriveWebhookSecret(
  secret: RootSecret,
  hookName: string,
  clientId: string | undefined,
  version: number,
): string {
  const key = secret.derive(['webhook', hookName, clientId ?? '', String(version)], 32);
  return PREFIX + key.toString('base64');
}

/**
 * One entry of the `webhook-signature` header: `v1,` and the HMAC-SHA256 of id, timestamp and body.
 *
 * @param seconds Unix time of this attempt, as sent in `webhook-timestamp`.
 */
export function signWebhook(
  whsec: string,
  message: { readonly id: string; readonly seconds: number; readonly body: string },
): string {
  const key = Buffer.from(whsec.slice(PREFIX.length), 'base64');
  const text = `${message.id}.${message.seconds}.${message.body}`;
  return `v1,${createHmac('sha256', key).update(text, 'utf8').digest('base64')}`;
}
