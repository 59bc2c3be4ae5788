import * as z from 'zod';
import { findTokenAccount } from '../../../core/access.ts';
import { toSeconds } from '../../../core/clock.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { nullableLookupId } from '../../../plan/event/value.ts';
import { revokeGrantsOf } from '../consent/grant-sql.ts';
import { findApp } from '../sql.ts';
import { findSessionApp, revokeSessions } from '../token/session-sql.ts';

export const sessionRemove = defineEvent({
  name: 'session-remove',
  description: 'Ends a session of any app, or all of an app. Their tokens stop working at once.',
  kind: 'silent',
  stage: () =>
    z.object({
      grant_id: nullableLookupId('The session.'),
      app_id: nullableLookupId(
        "Without `grant_id`: all sessions of this app, and the app's own tokens; in a user call those of the token's account.",
      ),
    }),
  results: () =>
    z
      .object({ removed: z.number(), app_id: z.number(), grant_id: z.number().nullable() })
      .describe('`removed`: how many consents ended; `app_id`, `grant_id` (null for all).'),
  async run({ grant_id: grantId, app_id = 0 }, context) {
    const { database, clock } = context.services;
    const authId = findTokenAccount();
    const isOne = grantId !== undefined;
    const appId = isOne
      ? await findSessionApp(database, grantId, authId)
      : (await findApp(database, 'app_id', app_id))?.appId;
    const missing = {
      status: 404,
      code: isOne ? 'SESSION_MISSING' : 'APP_MISSING',
      message: isOne ? 'There is no such session any more.' : 'There is no such app.',
    };
    if (appId === undefined) return reject(missing);
    const query = { appId, grantId, now: toSeconds(clock.now()) };
    const isAllOfUser = !isOne && authId !== undefined;
    const removed = await database.write(() =>
      isAllOfUser ? revokeGrantsOf(database, { ...query, authId }) : revokeSessions(database, query),
    );
    if (isOne && removed === 0) return reject(missing);
    return { removed, app_id: appId, grant_id: grantId ?? null };
  },
});
