import { toSeconds } from '../../../core/clock.ts';
import { createToken, digest } from '../../../core/secret/secret.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { findApp } from '../sql.ts';
import { setTrial } from '../token/session-sql.ts';

/** Seconds that a trial secret is valid. */
const TRIAL_SECONDS = 600;

export const appTrial: EventContribution = {
  name: 'app-trial',
  description:
    "Gives an app a second client secret for ten minutes. It exchanges codes but cannot get a client credentials token. The app's own secret stays.",
  stage: { client_id: 'The app.' },
  results: '`client_id`, `until` (unix seconds), and, only this once, `client_secret`; a public app gets none.',
  // The results contain only secrets.
  kind: 'silent',
  listen: (context) => async (request, response) => {
    const { database, random, clock } = context.services;
    const clientId = String(request.getStage('client_id') ?? '');
    const app = await findApp(database, 'client_id', clientId);
    if (!app) return response.refuse({ status: 404, message: 'There is no such app.' });
    if (!app.isActive) return response.refuse({ status: 409, message: 'This app is suspended.' });
    const until = toSeconds(clock.now()) + TRIAL_SECONDS;
    if (app.secretHash === undefined) return response.succeed({ client_id: clientId, until });
    const secret = createToken(random, 'tk_cs_');
    await database.write(() => setTrial(database, app.appId, { hash: digest(secret), until }));
    response.succeed({ client_id: clientId, until, client_secret: secret });
  },
};
