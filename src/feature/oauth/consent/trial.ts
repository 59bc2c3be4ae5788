import { createHash } from 'node:crypto';
import type { Request } from '../../../core/request/request.ts';
import { createToken, isSameSecret } from '../../../core/secret/secret.ts';
import type { Context } from '../../../plan/feature.ts';

/** State of the developer section between the start of a trial and the returned code. */
export interface Trial {
  readonly appId: number;
  readonly state: string;
  /** PKCE verifier. @see RFC 7636 section 4.1 */
  readonly verifier: string;
  /** The secret of the event `app-trial`; a public client has none. */
  readonly secret?: string;
  /** Unix seconds when the secret expires. */
  readonly until: number;
}

const KEY = 'trial';

export function createTrial(context: Context, appId: number, given: { secret?: string; until: number }): Trial {
  const { random } = context.services;
  return { appId, state: createToken(random, '', 16), verifier: createToken(random), ...given };
}

/** Seals a trial into the session, so that the session's row has no secret in clear. */
export function saveTrial({ services }: Context, request: Request, trial: Trial): void {
  request.setSession(KEY, services.secret.seal(JSON.stringify(trial)));
}

/** The trial of an app that this session started; undefined if there is none or it is for another app. */
export function findTrial({ services }: Context, request: Request, appId: number): Trial | undefined {
  const sealed = request.getSession(KEY);
  if (typeof sealed !== 'string') return undefined;
  try {
    const trial = JSON.parse(services.secret.open(sealed)) as Trial;
    return trial.appId === appId ? trial : undefined;
  } catch {
    // Sealed with another root secret, so it is unusable.
    return undefined;
  }
}

export function endTrial(request: Request): void {
  request.removeSession(KEY);
}

export const isSameState = (trial: Trial, state: unknown): boolean =>
  typeof state === 'string' && isSameSecret(state, trial.state);

/** @see RFC 7636 section 4.2 */
const toChallenge = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** Redirect URI of trials: a page of the app in the developer section. */
export const toTrialUri = (baseUrl: string, appId: number): string => `${baseUrl}/developer/app/try/${appId}`;

/** The authorization request of a trial, as an app would send it. */
export function toTrialRequest(
  trial: Trial,
  { clientId, redirectUri, scopes }: { clientId: string; redirectUri: string; scopes: readonly string[] },
): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    state: trial.state,
    code_challenge: toChallenge(trial.verifier),
    code_challenge_method: 'S256',
  });
  return `/oauth/authorize?${query}`;
}
