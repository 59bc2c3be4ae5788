import { findTokenAccount } from '../../../core/access.ts';
import { toSeconds } from '../../../core/clock.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { revokeGrantsOf } from '../consent/grant-sql.ts';
import { findApp } from '../sql.ts';
import { findSessionApp, revokeSessions } from '../token/session-sql.ts';

export const sessionRemove: EventContribution = {
  name: 'session-remove',
  description: 'Ends a session of any app, or all of an app. Their tokens stop working at once.',
  stage: {
    grant_id: 'The session.',
    app_id:
      "Without `grant_id`: all sessions of this app, and the app's own tokens; in a user call those of the token's account.",
  },
  results: '`removed`: how many consents ended; `app_id`, `grant_id` (null for all).',
  kind: 'silent',
  listen: (context) => async (request, response) => {
    const { database, clock } = context.services;
    const authId = findTokenAccount();
    const isOne = request.hasStage('grant_id');
    const given = Number(request.getStage(isOne ? 'grant_id' : 'app_id'));
    const appId = !Number.isSafeInteger(given)
      ? undefined
      : isOne
        ? await findSessionApp(database, given, authId)
        : (await findApp(database, 'app_id', given))?.appId;
    const missing = isOne ? 'There is no such session any more.' : 'There is no such app.';
    if (appId === undefined) return response.refuse({ status: 404, message: missing });
    const query = { appId, grantId: isOne ? given : undefined, now: toSeconds(clock.now()) };
    const isAllOfUser = !isOne && authId !== undefined;
    const removed = await database.write(() =>
      isAllOfUser ? revokeGrantsOf(database, { ...query, authId }) : revokeSessions(database, query),
    );
    if (isOne && removed === 0) return response.refuse({ status: 404, message: missing });
    response.succeed({ removed, app_id: appId, grant_id: isOne ? given : null });
  },
};
