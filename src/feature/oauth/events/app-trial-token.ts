import { toSeconds } from '../../../core/clock.ts';
import { createToken, digest } from '../../../core/secret.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { listAllowedScopes } from '../client/allowed-scopes.ts';
import { findApp, insertToken } from '../sql.ts';

/** Seconds that a trial token is valid. */
const TRIAL_SECONDS = 600;

export const appTrialToken: EventContribution = {
  event: 'app-trial-token',
  description:
    'Gives an account an access token of an app for ten minutes, to try calls. Only code may name the account.',
  stage: { client_id: 'The app.', auth_id: 'The account that the token acts for.' },
  results: '`client_id`, `scopes`, `until` (unix seconds), and, only this once, `access_token`.',
  // The results contain only secrets.
  commits: 'nothing',
  listen: (context) => async (request, response) => {
    const { database, random, clock } = context.services;
    if (request.isBrought('auth_id')) {
      return response.refuse({ status: 403, message: 'A request may not name the account of a trial token.' });
    }
    const clientId = String(request.getStage('client_id') ?? '');
    const authId = Number(request.getStage('auth_id'));
    const app = await findApp(database, 'client_id', clientId);
    if (!app) return response.refuse({ status: 404, message: 'There is no such app.' });
    if (!app.isActive) return response.refuse({ status: 409, message: 'This app is suspended.' });
    const account = await database.kysely
      .selectFrom('treadle_auth')
      .select('profile_id')
      .where('auth_id', '=', authId)
      .where('auth_active', '=', 1)
      .executeTakeFirst();
    if (!account) return response.refuse({ status: 404, message: 'There is no such account.' });
    const now = toSeconds(clock.now());
    const scopes = listAllowedScopes(context.plan.model, app, 'user');
    const token = createToken(random, 'tk_at_');
    await database.write(() =>
      insertToken(database, {
        token_hash: digest(token),
        kind: 'access',
        app_id: app.appId,
        auth_id: authId,
        profile_id: account.profile_id,
        scopes: JSON.stringify(scopes),
        created_at: now,
        expires_at: now + TRIAL_SECONDS,
      }),
    );
    response.succeed({ client_id: clientId, scopes, until: now + TRIAL_SECONDS, access_token: token });
  },
};
