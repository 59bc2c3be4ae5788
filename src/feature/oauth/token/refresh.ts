import { createHmac } from 'node:crypto';
import { toSeconds } from '../../../core/clock.ts';
import { digest } from '../../../core/secret/secret.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Context, Services } from '../../../plan/feature.ts';
import { isScopeAllowed, toSlugs } from '../client/allowed-scopes.ts';
import { type ClientApp, parseList } from '../client/app-row.ts';
import { BAD_REFRESH, BAD_SCOPE, type TokenError } from '../errors.ts';
import { consumeRefresh, findToken, insertToken, revokeGrant, touchGrant } from '../sql.ts';
import { type IssuedToken, toHolder, toRefreshEnd } from './issue.ts';

/**
 * Seconds in which a repeated refresh token gets the same response, for a client that lost it or asked
 * twice.
 */
const GRACE_SECONDS = 10;

export type RefreshResult = { readonly token: IssuedToken } | { readonly fault: TokenError };

interface RefreshRequest {
  readonly token: string;
  readonly scope: string;
}

/**
 * Derives the next tokens from a refresh token and a stored seed, so that a repeated request gets the same
 * ones although no table stores them.
 */
function deriveNext(
  services: Services,
  token: string,
  seed: string,
): { readonly access: string; readonly refresh: string } {
  const key = services.secret.derive(['oauth', 'refresh']);
  const make = (prefix: string): string =>
    prefix + createHmac('sha256', key).update(`${prefix}|${seed}|${token}`).digest('base64url');
  return { access: make('tk_at_'), refresh: make('tk_rt_') };
}

const isAlive = (row: Row): boolean =>
  row.revoked_at === null && row.grant_revoked_at === null && row.auth_active === 1;

/** Revokes the token family: someone else has a token of it. */
async function revokeFamily({ services }: Context, row: Row): Promise<RefreshResult> {
  const { database, clock, log } = services;
  const grantId = Number(row.grant_id);
  await database.write(() => revokeGrant(database, grantId, toSeconds(clock.now())));
  log.warn('oauth-refresh-replayed', { app: row.app_id, grant: grantId });
  return { fault: BAD_REFRESH };
}

/** Handles a used refresh token: the same response within the grace period, else revokes the family. */
async function judgeUsed(context: Context, row: Row, token: string): Promise<RefreshResult> {
  const { services } = context;
  const now = toSeconds(services.clock.now());
  if (now - Number(row.consumed_at) > GRACE_SECONDS) return revokeFamily(context, row);
  const next = deriveNext(services, token, String(row.seed));
  const refresh = await findToken(services.database, digest(next.refresh));
  const access = await findToken(services.database, digest(next.access));
  // A used successor proves that the response arrived, so this is someone else.
  if (refresh && refresh.consumed_at !== null) return revokeFamily(context, row);
  if (!refresh || !access || !isAlive(refresh) || !isAlive(access)) return { fault: BAD_REFRESH };
  const seconds = Math.max(1, Number(access.expires_at) - now);
  return { token: { ...next, seconds, scopes: parseList(access.scopes) } };
}

/** Consumes the token and stores its successors; undefined if another request was first. */
async function rotate(
  { services, plan }: Context,
  row: Row,
  { token, scopes }: { readonly token: string; readonly scopes: readonly string[] },
): Promise<IssuedToken | undefined> {
  const { database, clock, random } = services;
  const seed = random(16).toString('base64url');
  const next = deriveNext(services, token, seed);
  const now = toSeconds(clock.now());
  const seconds = plan.model.settings.oauth.accessSeconds;
  const shared = { ...toHolder(row), created_at: now };
  const isMine = await database.write(async () => {
    // The consent first: revoking locks in the same order, so that no token is created after it ended.
    if (!(await touchGrant(database, Number(row.grant_id), now))) return false;
    if (!(await consumeRefresh(database, String(row.token_hash), { now, seed }))) return false;
    await insertToken(database, {
      ...shared,
      token_hash: digest(next.access),
      kind: 'access',
      scopes: JSON.stringify(scopes),
      expires_at: now + seconds,
    });
    await insertToken(database, {
      ...shared,
      token_hash: digest(next.refresh),
      kind: 'refresh',
      scopes: JSON.stringify(parseList(row.scopes)),
      expires_at: toRefreshEnd(now, Number(row.grant_created_at)),
    });
    return true;
  });
  return isMine ? { ...next, seconds, scopes } : undefined;
}

/** Exchanges the refresh token of an authenticated app. @see draft-ietf-oauth-v2-1 section 4.3 */
export async function refreshTokens(context: Context, app: ClientApp, params: RefreshRequest): Promise<RefreshResult> {
  const { services, plan } = context;
  const find = () => findToken(services.database, digest(params.token));
  const row = await find();
  if (row?.kind !== 'refresh' || row.app_id !== app.appId || !isAlive(row)) return { fault: BAD_REFRESH };
  if (row.consumed_at !== null) return judgeUsed(context, row, params.token);
  if (Number(row.expires_at) <= toSeconds(services.clock.now())) return { fault: BAD_REFRESH };
  const granted = parseList(row.scopes);
  const requested = toSlugs(params.scope);
  if (!requested.every((slug) => granted.includes(slug))) return { fault: BAD_SCOPE };
  const scopes = (requested.length > 0 ? requested : granted).filter((slug) => isScopeAllowed(plan.model, app, slug));
  const token = await rotate(context, row, { token: params.token, scopes });
  if (token) return { token };
  const again = await find();
  if (!again || !isAlive(again) || again.consumed_at === null) return { fault: BAD_REFRESH };
  return judgeUsed(context, again, params.token);
}
