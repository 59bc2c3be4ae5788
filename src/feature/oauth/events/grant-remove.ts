import * as z from 'zod';
import { findTokenAccount } from '../../../core/access.ts';
import { toSeconds } from '../../../core/clock.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { lookupId, nullableLookupId } from '../../../plan/event/value.ts';
import { revokeGrantsOf } from '../consent/grant-sql.ts';

export const grantRemove = defineEvent({
  name: 'grant-remove',
  description: "Ends an app's access to an account: its tokens stop working at once.",
  kind: 'writes',
  stage: () =>
    z.object({
      auth_id: nullableLookupId('The account; in a user call always that of the token.'),
      app_id: lookupId('The app.'),
    }),
  results: () =>
    z
      .object({ removed: z.number(), auth_id: z.number(), app_id: z.number() })
      .describe('`removed`: how many consents ended; `auth_id`, `app_id`.'),
  async run({ auth_id, app_id: appId }, context) {
    const { database, clock } = context.services;
    const authId = findTokenAccount() ?? auth_id ?? 0;
    if (authId === 0 || appId === 0)
      return reject({
        status: 400,
        code: 'BAD_REQUEST',
        message: 'auth_id and app_id must name an account and an app.',
      });
    const removed = await database.write(() =>
      revokeGrantsOf(database, { authId, appId, now: toSeconds(clock.now()) }),
    );
    if (removed === 0)
      return reject({ status: 404, code: 'GRANT_MISSING', message: 'The app has no access to this account.' });
    return { removed, auth_id: authId, app_id: appId };
  },
});
