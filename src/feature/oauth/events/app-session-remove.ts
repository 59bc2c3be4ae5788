import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import { defineEvent, Rejection, reject } from '../../../plan/event/event.ts';
import { nullableLookupId } from '../../../plan/event/value.ts';
import { appIds, toAppIds } from '../client/app-row.ts';
import { anyOwnerStage, findShownApp } from '../client/owned-app.ts';
import { revokeSessions } from '../token/session-sql.ts';

export const appSessionRemove = defineEvent({
  name: 'app-session-remove',
  description: 'Ends one session of an app, or all of them. Their tokens stop working at once.',
  kind: 'writes',
  stage: () =>
    z.object({
      ...anyOwnerStage(),
      grant_id: nullableLookupId("The session. Without it: all sessions, and the app's own tokens."),
    }),
  results: () =>
    z
      .object({ removed: z.number(), ...appIds(), grant_id: z.number().nullable() })
      .describe('`removed`: how many consents ended; `app_id`, `client_id`, `grant_id` (null for all).'),
  async run({ grant_id: grantId, ...choice }, context, { request }) {
    const { database, clock } = context.services;
    const app = await findShownApp(context, request, choice);
    if (app instanceof Rejection) return app;
    const query = { appId: app.appId, grantId, now: toSeconds(clock.now()) };
    const removed = await database.write(() => revokeSessions(database, query));
    if (grantId !== undefined && removed === 0)
      return reject({ status: 404, code: 'SESSION_MISSING', message: 'There is no such session any more.' });
    return { removed, ...toAppIds(app), grant_id: grantId ?? null };
  },
});
