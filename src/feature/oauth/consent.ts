import { toSeconds } from '../../core/clock.ts';
import { createToken, digest } from '../../core/secret.ts';
import type { Context } from '../../plan/feature.ts';
import { parseList } from './app-row.ts';
import type { Asked } from './authorization.ts';
import { ABSOLUTE_SECONDS } from './issue.ts';
import { findGrantedScopes, insertCode, insertGrant } from './sql.ts';

/** The user who decides. */
export interface Decider {
  readonly authId: number;
  readonly profileId: number;
}

/** Codes live ten minutes while somebody tries things by hand; RFC 6749 section 4.1.2 allows no more. */
const DEVELOPMENT_SECONDS = 600;

/** Seconds that an app may act for the user at most, once allowed; what the dialog tells. */
export const toLifetime = ({ plan }: Context, { isStandard }: Asked): number =>
  isStandard ? ABSOLUTE_SECONDS : plan.model.settings.oauth.classicAccessSeconds;

export const codeSeconds = ({ plan }: Context): number =>
  plan.isDevelopment ? DEVELOPMENT_SECONDS : Math.min(plan.model.settings.oauth.codeSeconds, DEVELOPMENT_SECONDS);

/**
 * Whether a user need not be asked again: only where the app's definition says so, only for an app that can keep a
 * secret (anybody can pretend to be another), and only for what was granted at once before.
 *
 * @see draft-ietf-oauth-v2-1 section 7.3
 */
export async function isRemembered(context: Context, asked: Asked, { authId }: Decider): Promise<boolean> {
  const { app, scopes } = asked;
  if (!app.isRemembering || app.name === undefined || app.secretHash === undefined) return false;
  const granted = await findGrantedScopes(context.services.database, authId, app.appId);
  return granted.some((stored) => {
    const list = parseList(stored);
    return scopes.every((slug) => list.includes(slug));
  });
}

/** Stores a consent and its code; returns where to send the browser. The code is nowhere else in clear. */
export async function grant(
  context: Context,
  asked: Asked,
  by: Decider & { readonly scopes: readonly string[] },
): Promise<string> {
  const { database, clock, random } = context.services;
  const code = createToken(random, 'tk_ac_');
  const now = toSeconds(clock.now());
  const shared = {
    app_id: asked.app.appId,
    auth_id: by.authId,
    profile_id: by.profileId,
    scopes: JSON.stringify(by.scopes),
    created_at: now,
  };
  await database.write(async () => {
    const grantId = await insertGrant(database, shared);
    await insertCode(database, {
      ...shared,
      code_hash: digest(code),
      grant_id: grantId,
      redirect_uri: asked.to.uri,
      redirect_named: asked.isRedirectNamed ? 1 : 0,
      refreshable: asked.isStandard ? 1 : 0,
      challenge: asked.challenge ?? null,
      expires_at: now + codeSeconds(context),
    });
  });
  return asked.to({ code });
}
