import { toSeconds } from '../../../core/clock.ts';
import { createToken, digest } from '../../../core/secret/secret.ts';
import type { Context } from '../../../plan/feature.ts';
import { parseList } from '../client/app-row.ts';
import { findGrantedScopes, insertCode, insertGrant, revokeGrant } from '../sql.ts';
import { ABSOLUTE_SECONDS } from '../token/issue.ts';
import type { AuthorizationRequest } from './authorization.ts';
import { countGrants, findSurplusGrants } from './grant-sql.ts';

/** The user who decides. */
export interface Decider {
  readonly authId: number;
  readonly profileId: number;
}

/** Codes live ten minutes during manual development; RFC 6749 section 4.1.2 allows no more. */
const DEVELOPMENT_SECONDS = 600;

/** Maximum seconds that an app may act for the user, as shown in the dialog. */
export const findLifetime = ({ plan }: Context, { isStandard }: AuthorizationRequest): number =>
  isStandard ? ABSOLUTE_SECONDS : plan.model.settings.oauth.classicAccessSeconds;

const codeSeconds = ({ plan }: Context): number =>
  plan.isDevelopment ? DEVELOPMENT_SECONDS : Math.min(plan.model.settings.oauth.codeSeconds, DEVELOPMENT_SECONDS);

/**
 * Whether to skip the dialog: only if the app's definition allows it, the app can keep a secret (anybody
 * can impersonate another), and one earlier consent covers all scopes.
 * @see draft-ietf-oauth-v2-1 section 7.3
 */
export async function isRemembered(
  context: Context,
  authorization: AuthorizationRequest,
  { authId }: Decider,
): Promise<boolean> {
  const { app, scopes } = authorization;
  if (!app.isRemembering || app.name === undefined || app.secretHash === undefined) return false;
  const granted = await findGrantedScopes(context.services.database, authId, app.appId);
  return granted.some((stored) => {
    const list = parseList(stored);
    return scopes.every((slug) => list.includes(slug));
  });
}

/** Maximum current consents of a user to one app; a further one ends the oldest. */
const MOST_OF_APP = 50;
/** Maximum consents of a user to all apps, including those that ended within the last day. */
const MOST_OF_USER = 1000;
/** Message for a user with too many consents. */
export const TOO_MANY_CONSENTS = `Your account has ${MOST_OF_USER} consents; those that ended count for a day. End the access of apps that you do not use at /auth/apps, and come back tomorrow.`;

/**
 * Stores a consent and its code. Returns the redirect, or undefined if the user has too many consents. The
 * code is stored only as a hash.
 */
export async function grant(
  context: Context,
  authorization: AuthorizationRequest,
  by: Decider & { readonly scopes: readonly string[] },
): Promise<string | undefined> {
  const { database, clock, random } = context.services;
  const code = createToken(random, 'tk_ac_');
  const now = toSeconds(clock.now());
  const shared = {
    app_id: authorization.app.appId,
    auth_id: by.authId,
    profile_id: by.profileId,
    scopes: JSON.stringify(by.scopes),
    created_at: now,
  };
  const isTaken = await database.write(async () => {
    if ((await countGrants(database, by.authId)) >= MOST_OF_USER) return false;
    const grantId = await insertGrant(database, shared);
    await insertCode(database, {
      ...shared,
      code_hash: digest(code),
      grant_id: grantId,
      redirect_uri: authorization.to.uri,
      redirect_named: authorization.isRedirectNamed ? 1 : 0,
      refreshable: authorization.isStandard ? 1 : 0,
      challenge: authorization.challenge ?? null,
      expires_at: now + codeSeconds(context),
    });
    const surplus = { authId: by.authId, appId: authorization.app.appId, kept: MOST_OF_APP };
    for (const id of await findSurplusGrants(database, surplus)) await revokeGrant(database, id, now);
    return true;
  });
  return isTaken ? authorization.to({ code }) : undefined;
}
