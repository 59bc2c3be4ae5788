import { createHmac } from 'node:crypto';
import { toSeconds } from '../../../../core/clock.ts';
import type { Request } from '../../../../core/request/request.ts';
import { createToken } from '../../../../core/secret/secret.ts';
import type { Exchange } from '../../../../page/exchange.ts';
import type { Services } from '../../../../plan/feature.ts';

/** What an answer is for: `login` without a password, `step` after one or before a secret, `create` a new passkey. */
export type Purpose = 'login' | 'step' | 'create';

/** Seconds that a challenge may be answered. */
export const CHALLENGE_SECONDS = 300;
const STATE = /^(\d{1,12})\.([A-Za-z0-9_-]{22})$/;
const BROWSER = /^[A-Za-z0-9_-]{22}$/;

export interface Challenge {
  /** Sent to the browser: base64url, 256 bits. */
  readonly challenge: string;
  /** Comes back with the answer. */
  readonly state: string;
  /** Unix seconds. */
  readonly until: number;
}

interface ChallengeBinding {
  readonly purpose: Purpose;
  readonly authId: number;
}

const isSecure = (request: Request): boolean => request.getServer('HTTPS') === 'on';
const toName = (request: Request): string => (isSecure(request) ? '__Secure-passkey' : 'passkey');

function findBrowser(request: Request): string | undefined {
  const value = request.getCookies(toName(request));
  return typeof value === 'string' && BROWSER.test(value) ? value : undefined;
}

/**
 * The challenge is a signature over its purpose, time, session, browser and account: nothing is stored before it is
 * answered, and no other session, browser or account can answer it.
 */
function sign(
  services: Services,
  request: Request,
  state: string,
  browser: string,
  { purpose, authId }: ChallengeBinding,
): string {
  const session = services.sessions.formToken(request);
  return createHmac('sha256', services.secret.derive(['auth', 'passkey', 'challenge']))
    .update(JSON.stringify([purpose, state, browser, session, authId]))
    .digest('base64url');
}

/** A new challenge for this browser, which gets a cookie that lives as long as it is open. */
export function issueChallenge(
  services: Services,
  { request, response }: Exchange,
  bound: ChallengeBinding,
): Challenge {
  const browser = findBrowser(request) ?? createToken(services.random, '', 16);
  const attributes = `Path=/auth; HttpOnly; SameSite=Strict${isSecure(request) ? '; Secure' : ''}`;
  response.addHeader(
    'set-cookie',
    [response.getHeaders('set-cookie') ?? [], `${toName(request)}=${browser}; ${attributes}`].flat(),
  );
  const until = toSeconds(services.clock.now()) + CHALLENGE_SECONDS;
  const state = `${until}.${createToken(services.random, '', 16)}`;
  return { challenge: sign(services, request, state, browser, bound), state, until };
}

/** The challenge that an answer must be for; undefined if it is too old, or was issued to another browser. */
export function findChallenge(
  services: Services,
  request: Request,
  state: string,
  bound: ChallengeBinding,
): Challenge | undefined {
  const until = Number(STATE.exec(state)?.[1] ?? 0);
  const browser = findBrowser(request);
  if (browser === undefined || until <= toSeconds(services.clock.now())) return undefined;
  return { challenge: sign(services, request, state, browser, bound), state, until };
}
