import { toSeconds } from '../../../core/clock.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { ANY_STAGE, findShownApp } from '../client/owned-app.ts';
import { revokeSessions } from '../token/session-sql.ts';

export const appSessionRemove: EventContribution = {
  name: 'app-session-remove',
  description: 'Ends one session of an app, or all of them. Their tokens stop working at once.',
  stage: {
    app_id: 'The app.',
    owner: 'The account that owns the app.',
    ...ANY_STAGE,
    grant_id: "The session. Without it: all sessions, and the app's own tokens.",
  },
  results: '`removed`: how many consents ended; `app_id`, `client_id`, `grant_id` (null for all).',
  kind: 'writes',
  listen: (context) => async (request, response) => {
    const { database, clock } = context.services;
    const app = await findShownApp(context, request, response);
    if (!app) return;
    const isOne = request.hasStage('grant_id');
    const grantId = isOne ? Number(request.getStage('grant_id')) : undefined;
    const isOdd = grantId !== undefined && !Number.isSafeInteger(grantId);
    const query = { appId: app.appId, grantId, now: toSeconds(clock.now()) };
    const removed = isOdd ? 0 : await database.write(() => revokeSessions(database, query));
    if (isOne && removed === 0) return response.refuse({ status: 404, message: 'There is no such session any more.' });
    response.succeed({ removed, app_id: app.appId, client_id: app.clientId, grant_id: grantId ?? null });
  },
};
