import { createHash } from 'node:crypto';
import { toSeconds } from '../../../core/clock.ts';
import { createToken, digest, isSameSecret } from '../../../core/secret/secret.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Context } from '../../../plan/feature.ts';
import { isScopeAllowed } from '../client/allowed-scopes.ts';
import { type ClientApp, parseList } from '../client/app-row.ts';
import { BAD_CODE, type TokenError } from '../errors.ts';
import {
  consumeCode,
  countTry,
  findCode,
  findProfile,
  insertToken,
  markCommitted,
  revokeGrant,
  touchGrant,
} from '../sql.ts';
import { ABSOLUTE_SECONDS, type IssuedToken, toHolder, toRefreshEnd } from './issue.ts';
import { type Arrival, findReplayDetector } from './replay-detector.ts';

/** Wrong verifiers allowed per code. */
const MOST_TRIES = 5;

type Door = 'classic' | 'standard';

/** Parameters of a code exchange. */
export interface CodeRequest {
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier: string;
  readonly door: Door;
  /** From {@link arriveWith}, before any lookup. */
  readonly arrival: Arrival;
}

interface ExchangeResult {
  readonly token: IssuedToken;
  readonly code: Row;
  readonly profile: Row;
}

export type Outcome = ExchangeResult | { readonly fault: TokenError };

/** Records the arrival of an exchange. Must be called first: it distinguishes a lost race from a replay. */
export const arriveWith = ({ services }: Context, code: string): Arrival =>
  findReplayDetector(services).arrive(digest(code));

/** Whether a code is this app's and for this address. @see RFC 6749 section 4.1.3 */
function isFitting(code: Row, app: ClientApp, { redirectUri, door }: CodeRequest): boolean {
  if (code.app_id !== app.appId) return false;
  if (redirectUri !== '') return redirectUri === code.redirect_uri;
  return door === 'classic' || code.redirect_named !== 1 || typeof code.challenge === 'string';
}

/** Whether the verifier is the challenge's; without a challenge there must be none. @see RFC 7636 section 4.6 */
function isVerified(code: Row, verifier: string): boolean {
  if (typeof code.challenge !== 'string') return verifier === '';
  return isSameSecret(createHash('sha256').update(verifier).digest('base64url'), code.challenge);
}

/** Handles a used code: after the winner's commit the caller has a stolen code, or lost it to a thief. */
async function judgeUsed({ services }: Context, code: Row, arrival: Arrival): Promise<Outcome> {
  const { database, clock, log } = services;
  if (findReplayDetector(services).isReplay(code, arrival)) {
    const grantId = Number(code.grant_id);
    await database.write(() => revokeGrant(database, grantId, toSeconds(clock.now())));
    log.warn('oauth-code-replayed', { app: code.app_id, grant: grantId });
  }
  return { fault: BAD_CODE };
}

/**
 * Tokens for a code: those of the classic endpoint are long-lived and have a secret, those of the standard
 * one can be refreshed.
 */
function makeTokens({ services, plan }: Context, code: Row, door: Door, scopes: readonly string[]): IssuedToken {
  const { random } = services;
  const { accessSeconds, classicAccessSeconds } = plan.model.settings.oauth;
  const access = createToken(random, 'tk_at_');
  const isRefreshable = code.refreshable === 1;
  if (door === 'standard') {
    const refresh = isRefreshable ? { refresh: createToken(random, 'tk_rt_') } : {};
    return { access, ...refresh, seconds: accessSeconds, scopes };
  }
  // The dialog told the user of the longest life that a refresh token gives.
  const seconds = isRefreshable ? Math.min(classicAccessSeconds, ABSOLUTE_SECONDS) : classicAccessSeconds;
  return { access, secret: createToken(random, 'tk_as_'), seconds, scopes };
}

function toRows(code: Row, issued: IssuedToken, now: number): Row[] {
  const shared = { ...toHolder(code), scopes: JSON.stringify(issued.scopes), created_at: now };
  const access = {
    ...shared,
    token_hash: digest(issued.access),
    secret_hash: issued.secret === undefined ? null : digest(issued.secret),
    kind: 'access',
    expires_at: now + issued.seconds,
  };
  if (issued.refresh === undefined) return [access];
  const expires = toRefreshEnd(now, Number(code.created_at));
  return [access, { ...shared, token_hash: digest(issued.refresh), kind: 'refresh', expires_at: expires }];
}

/** Consumes the code and stores the tokens in one transaction; false if another exchange was first. */
async function take({ services }: Context, code: Row, issued: IssuedToken): Promise<boolean> {
  const { database, clock } = services;
  const hash = String(code.code_hash);
  const now = clock.now();
  const detector = findReplayDetector(services);
  const state = { isHeld: false };
  try {
    const isMine = await database.transaction(async () => {
      if (!(await consumeCode(database, hash, now))) return false;
      detector.hold(hash);
      state.isHeld = true;
      if (!(await touchGrant(database, Number(code.grant_id), toSeconds(now)))) return false;
      for (const row of toRows(code, issued, toSeconds(now))) await insertToken(database, row);
      return true;
    });
    if (!isMine) {
      if (state.isHeld) detector.release(hash);
      return false;
    }
  } catch (error) {
    if (state.isHeld) detector.release(hash);
    throw error;
  }
  await markCommitted(database, hash, clock.now());
  await detector.commit(hash);
  return true;
}

/** The profile of the code's user; undefined if the user no longer exists. */
async function findHolder({ services, plan }: Context, code: Row): Promise<Row | undefined> {
  if (code.auth_active !== 1) return undefined;
  const profile = await findProfile(services.database, Number(code.profile_id));
  const { active } = plan.model.schemas.get('profile') ?? {};
  return profile && (active === undefined || profile[active] === 1) ? profile : undefined;
}

/** Exchanges the code of an authenticated app. */
export async function exchangeCode(context: Context, app: ClientApp, params: CodeRequest): Promise<Outcome> {
  const { services, plan } = context;
  const { database, clock } = services;
  const code = await findCode(database, digest(params.code));
  if (!code || !isFitting(code, app, params)) return { fault: BAD_CODE };
  if (!isVerified(code, params.verifier)) {
    if (code.consumed_at === null) await database.write(() => countTry(database, String(code.code_hash)));
    return { fault: BAD_CODE };
  }
  if (code.consumed_at !== null) return judgeUsed(context, code, params.arrival);
  if (Number(code.expires_at) <= toSeconds(clock.now()) || Number(code.tries) >= MOST_TRIES) return { fault: BAD_CODE };
  const profile = await findHolder(context, code);
  if (!profile || code.grant_revoked_at !== null) return { fault: BAD_CODE };
  const scopes = parseList(code.scopes).filter((slug) => isScopeAllowed(plan.model, app, slug));
  const token = makeTokens(context, code, params.door, scopes);
  return (await take(context, code, token)) ? { token, code, profile } : { fault: BAD_CODE };
}
