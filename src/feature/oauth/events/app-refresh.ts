import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import { createToken, digest } from '../../../core/secret/secret.ts';
import { defineEvent, Rejection, reject } from '../../../plan/event/event.ts';
import { tick } from '../../../plan/event/value.ts';
import { appIds, toAppIds } from '../client/app-row.ts';
import { anyOwnerStage, findOwnedApp } from '../client/owned-app.ts';
import { OVERLAP_SECONDS } from '../client/registration.ts';
import { updateApp } from '../sql.ts';

export const appRefresh = defineEvent({
  name: 'app-refresh',
  description: 'Gives an app a new client secret. The old one works for one more day.',
  kind: 'writes',
  stage: () =>
    z.object({ ...anyOwnerStage(), at_once: tick('`1` revokes the old secret at once, for example after a leak.') }),
  results: () =>
    z
      .object({ ...appIds(), title: z.string(), client_secret: z.string(), old_until: z.number() })
      .describe('`app_id`, `client_id`, `old_until` (unix seconds), and, only this once, `client_secret`.'),
  async run({ at_once: isAtOnce, ...choice }, context, { request }) {
    const { database, random, clock } = context.services;
    const app = await findOwnedApp(context, request, choice);
    if (app instanceof Rejection) return app;
    if (app.secretHash === undefined)
      return reject({
        status: 409,
        code: 'APP_WITHOUT_SECRET',
        message: 'A public app has no secret: it proves itself by its challenges.',
      });
    const secret = createToken(random, 'tk_cs_');
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
    return { ...toAppIds(app), title: app.title, client_secret: secret, old_until: until };
  },
});
