import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import { createToken, digest } from '../../../core/secret/secret.ts';
import type { Row } from '../../../database/row-statement.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { lookupId, onlyTrue } from '../../../plan/event/value.ts';
import type { Context } from '../../../plan/feature.ts';
import { listAllowedScopes } from '../client/allowed-scopes.ts';
import { parameter } from '../client/proof.ts';
import { findApp, insertGrant, insertToken } from '../sql.ts';
import { toRefreshEnd } from '../token/issue.ts';

/** Seconds that a trial token is valid. */
const TRIAL_SECONDS = 600;

/** Stores the token; with a consent, as after the dialog, also that and a refresh token that nobody has: it keeps the consent alive. */
async function store({ services }: Context, token: Row, isConsent: boolean): Promise<void> {
  const { database, random } = services;
  if (!isConsent) return insertToken(database, token);
  const { app_id, auth_id, profile_id, scopes, created_at } = token;
  const shared = { app_id, auth_id, profile_id, scopes, created_at };
  const grant_id = await insertGrant(database, shared);
  await insertToken(database, { ...token, grant_id });
  const now = Number(created_at);
  const refresh = { ...shared, grant_id, kind: 'refresh', expires_at: toRefreshEnd(now, now) };
  await insertToken(database, { ...refresh, token_hash: digest(createToken(random, 'tk_rt_')) });
}

export const appTrialToken = defineEvent({
  name: 'app-trial-token',
  description:
    'Gives an account an access token of an app for ten minutes, to try calls. Only code may name the account.',
  // The results contain only secrets.
  kind: 'silent',
  stage: () =>
    z.object({
      client_id: parameter('The app.'),
      auth_id: lookupId('The account that the token acts for.'),
      consent: onlyTrue(
        'True for a token with a consent, as if the user had allowed all scopes in the dialog: the app gets the web hooks for this user, too. Only code may ask for it.',
      ),
    }),
  results: () =>
    z
      .object({ client_id: z.string(), scopes: z.array(z.string()), until: z.number(), access_token: z.string() })
      .describe('`client_id`, `scopes`, `until` (unix seconds), and, only this once, `access_token`.'),
  async run({ client_id, auth_id, consent }, context, { request }) {
    const { database, random, clock } = context.services;
    if (request.isBrought('auth_id') || request.isBrought('consent')) {
      return reject({
        status: 403,
        code: 'EVENT_NOT_BY_REQUEST',
        message: 'A request may not name the account of a trial token, nor ask for a consent.',
      });
    }
    const app = await findApp(database, 'client_id', client_id);
    if (!app) return reject({ status: 404, code: 'APP_MISSING', message: 'There is no such app.' });
    if (!app.isActive) return reject({ status: 409, code: 'APP_NOT_ACTIVE', message: 'This app is suspended.' });
    const account = await database.kysely
      .selectFrom('treadle_auth')
      .select('profile_id')
      .where('auth_id', '=', auth_id)
      .where('auth_active', '=', 1)
      .executeTakeFirst();
    if (!account) return reject({ status: 404, code: 'ACCOUNT_MISSING', message: 'There is no such account.' });
    const now = toSeconds(clock.now());
    const scopes = listAllowedScopes(context.plan.model, app, 'user');
    const token = createToken(random, 'tk_at_');
    const row = {
      token_hash: digest(token),
      kind: 'access',
      app_id: app.appId,
      auth_id,
      profile_id: account.profile_id,
      scopes: JSON.stringify(scopes),
      created_at: now,
      expires_at: now + TRIAL_SECONDS,
    };
    await database.write(() => store(context, row, consent));
    return { client_id, scopes, until: now + TRIAL_SECONDS, access_token: token };
  },
});
