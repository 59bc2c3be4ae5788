import { toSeconds } from '../../../core/clock.ts';
import { createToken, digest } from '../../../core/secret/secret.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { ANY_STAGE, findOwnedApp } from '../client/owned-app.ts';
import { OVERLAP_SECONDS } from '../client/registration.ts';
import { updateApp } from '../sql.ts';

export const appRefresh: EventContribution = {
  name: 'app-refresh',
  description: 'Gives an app a new client secret. The old one works for one more day.',
  stage: {
    app_id: 'The app.',
    owner: 'The account that owns the app.',
    ...ANY_STAGE,
    at_once: '`1` revokes the old secret at once, for example after a leak.',
  },
  results: '`app_id`, `client_id`, `old_until` (unix seconds), and, only this once, `client_secret`.',
  kind: 'writes',
  listen: (context) => async (request, response) => {
    const { database, random, clock } = context.services;
    const app = await findOwnedApp(context, request, response);
    if (!app) return;
    if (app.secretHash === undefined) {
      return response.refuse({
        status: 409,
        message: 'A public app has no secret: it proves itself by its challenges.',
      });
    }
    const secret = createToken(random, 'tk_cs_');
    const isAtOnce = ['1', 1, true, 'on'].includes(request.getStage('at_once') as string);
    const until = isAtOnce ? 0 : toSeconds(clock.now()) + OVERLAP_SECONDS;
    const old = isAtOnce ? null : app.secretHash;
    await database.write(() =>
      updateApp(database, app.appId, {
        secret_hash: digest(secret),
        old_secret_hash: old,
        old_secret_until: until,
        // After a leak the trial secret ends too.
        ...(isAtOnce ? { trial_hash: null, trial_until: null } : {}),
      }),
    );
    response.succeed({
      app_id: app.appId,
      title: app.title,
      client_id: app.clientId,
      client_secret: secret,
      old_until: until,
    });
  },
};
