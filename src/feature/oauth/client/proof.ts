import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import type { Request } from '../../../core/request/request.ts';
import { digest, isSameSecret } from '../../../core/secret/secret.ts';
import { toNetwork } from '../../../core/text/network.ts';
import type { Context } from '../../../plan/feature.ts';
import { BAD_CLIENT, EMPTY, type TokenError } from '../errors.ts';
import { findApp } from '../sql.ts';
import type { ClientApp } from './app-row.ts';
import { noteApp } from './traffic.ts';

/** Wrong secrets per app, address and minute. */
const BAD_SECRETS = 20;

/** Credentials of an app. */
export interface Proof {
  readonly clientId: string;
  readonly secret: string;
  /** Client address, for counting wrong secrets. */
  readonly address: string;
}

/** `isTrial` if the app used the secret for trying the flow, which does not act as the app. */
export type ProofResult = { readonly app: ClientApp; readonly isTrial: boolean } | { readonly fault: TokenError };

/** A parameter of an endpoint; empty where it is missing or no text. */
export const parameter = (description: string) => z.string().default('').catch('').describe(description);

/** The credentials of a stage, and the address that the request came from. */
export const toProof = (
  stage: { readonly client_id: string; readonly client_secret: string },
  request: Request,
): Proof => ({
  clientId: stage.client_id,
  secret: stage.client_secret,
  address: String(request.getServer('REMOTE_ADDR') ?? ''),
});

/**
 * Compares a secret with an app's current and, for a day, previous one. Always compares both, and does the
 * same work for an unknown app.
 */
export function isSecretOf(
  secret: string,
  hashes: { readonly now: string | undefined; readonly old: string | undefined; readonly oldUntil: number },
  seconds: number,
): boolean {
  const given = digest(secret);
  const isNow = isSameSecret(given, hashes.now ?? digest(`no:${given}`));
  const isOld = isSameSecret(given, hashes.old ?? digest(`no:${given}`));
  return (isNow && hashes.now !== undefined) || (isOld && hashes.old !== undefined && seconds < hashes.oldUntil);
}

/** Authenticates an app. A public client has no credentials and must not send a secret. */
export async function proveClient({ services }: Context, { clientId, secret, address }: Proof): Promise<ProofResult> {
  const app = await findApp(services.database, 'client_id', clientId);
  const hashes = { now: app?.secretHash, old: app?.oldSecretHash, oldUntil: app?.oldSecretUntil ?? 0 };
  const seconds = toSeconds(services.clock.now());
  const trial = { now: undefined, old: app?.trialHash, oldUntil: app?.trialUntil ?? 0 };
  const [isOwn, isTrial] = [isSecretOf(secret, hashes, seconds), isSecretOf(secret, trial, seconds)];
  if (app) noteApp(app.appId);
  if (!app?.isActive) return { fault: BAD_CLIENT };
  if (app.secretHash === undefined) return secret === '' ? { app, isTrial: false } : { fault: BAD_CLIENT };
  if (isOwn || isTrial) return { app, isTrial: !isOwn };
  if (secret === '') return { fault: { ...BAD_CLIENT, validation: { client_secret: EMPTY } } };
  const taken = services.limiter.take(`oauth:secret:${app.clientId}:${toNetwork(address)}`, BAD_SECRETS, 60);
  if (taken.isAllowed) return { fault: BAD_CLIENT };
  const retrySeconds = Math.max(1, Math.ceil(taken.retrySeconds));
  return { fault: { ...BAD_CLIENT, status: 429, message: 'Too many wrong secrets.', retrySeconds } };
}
