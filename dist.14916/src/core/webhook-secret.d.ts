import type { RootSecret } from './secret.ts';
/**
 * The version of a receiver's secret: rises with the hook's version and with the app's.
 * @param hook The hook definition's `secretVersion`. Default 1.
 * @param app The app's `secretVersion`. Default 1.
 */
export declare const toSecretVersion: (hook?: number, app?: number) => number;
/**
 * The signing secret of a web hook's receiver in its displayed form: `whsec_` and 32 bytes in base64. It is
 * derived, so that no file or table stores it.
 * @param clientId The receiving app's client id; undefined for the hook's own URL.
 * @param version As returned by {@link toSecretVersion}; a higher one makes a new secret.
 * @see Standard Webhooks 1.0.0, "Signature scheme"
 */
export declare function deriveWebhookSecret(secret: RootSecret, hookName: string, clientId: string | undefined, version: number): string;
/**
 * One entry of the `webhook-signature` header: `v1,` and the HMAC-SHA256 of id, timestamp and body.
 *
 * @param seconds Unix time of this attempt, as sent in `webhook-timestamp`.
 */
export declare function signWebhook(whsec: string, message: {
    readonly id: string;
    readonly seconds: number;
    readonly body: string;
}): string;
