import { findTokenAccount } from '../../../core/access.ts';
import { toSeconds } from '../../../core/clock.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { revokeGrantsOf } from '../consent/grant-sql.ts';

export const grantRemove: EventContribution = {
  name: 'grant-remove',
  description: "Ends an app's access to an account: its tokens stop working at once.",
  stage: { auth_id: 'The account; in a user call always that of the token.', app_id: 'The app.' },
  results: '`removed`: how many consents ended; `auth_id`, `app_id`.',
  kind: 'writes',
  listen: (context) => async (request, response) => {
    const { database, clock } = context.services;
    const authId = findTokenAccount() ?? Number(request.getStage('auth_id'));
    const appId = Number(request.getStage('app_id'));
    if (!Number.isSafeInteger(authId) || !Number.isSafeInteger(appId)) {
      return response.refuse({ status: 400, message: 'auth_id and app_id must name an account and an app.' });
    }
    const removed = await database.write(() =>
      revokeGrantsOf(database, { authId, appId, now: toSeconds(clock.now()) }),
    );
    if (removed === 0) return response.refuse({ status: 404, message: 'The app has no access to this account.' });
    response.succeed({ removed, auth_id: authId, app_id: appId });
  },
};
