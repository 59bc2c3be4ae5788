import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import { createToken, digest } from '../../../core/secret/secret.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { parameter } from '../client/proof.ts';
import { findApp } from '../sql.ts';
import { setTrial } from '../token/session-sql.ts';

/** Seconds that a trial secret is valid. */
const TRIAL_SECONDS = 600;

export const appTrial = defineEvent({
  name: 'app-trial',
  description:
    "Gives an app a second client secret for ten minutes. It exchanges codes but cannot get a client credentials token. The app's own secret stays.",
  // The results contain only secrets.
  kind: 'silent',
  stage: () => z.object({ client_id: parameter('The app.') }),
  results: () =>
    z
      .object({ client_id: z.string(), until: z.number(), client_secret: z.string().optional() })
      .describe('`client_id`, `until` (unix seconds), and, only this once, `client_secret`; a public app gets none.'),
  async run({ client_id }, context) {
    const { database, random, clock } = context.services;
    const app = await findApp(database, 'client_id', client_id);
    if (!app) return reject({ status: 404, code: 'APP_MISSING', message: 'There is no such app.' });
    if (!app.isActive) return reject({ status: 409, code: 'APP_NOT_ACTIVE', message: 'This app is suspended.' });
    const until = toSeconds(clock.now()) + TRIAL_SECONDS;
    if (app.secretHash === undefined) return { client_id, until };
    const secret = createToken(random, 'tk_cs_');
    await database.write(() => setTrial(database, app.appId, { hash: digest(secret), until }));
    return { client_id, until, client_secret: secret };
  },
});
