import { toSeconds } from '../../../core/clock.ts';
import { Rejection } from '../../../plan/event/event.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { ANY_STAGE, findShownApp } from '../client/owned-app.ts';
import { countSessions, findSessions, SESSION_ROWS } from '../token/session-sql.ts';
import { toSessionView } from '../token/session-view.ts';

export const appSessionSearch: EventContribution = {
  name: 'app-session-search',
  description: "Lists an app's sessions, newest first: the consents that have a live token.",
  stage: {
    app_id: 'The app.',
    owner: 'The account that owns the app.',
    ...ANY_STAGE,
    before: 'Only sessions with a lower `grant_id`: the next page.',
  },
  results:
    '`rows`: `grant_id`, `auth_id`, `profile_name`, `scopes`, `created_at`, `used_at`, `expires_at` (unix seconds); `total`; `next`, the `before` of the next page.',
  kind: 'silent',
  listen: (context) => async (request, response) => {
    const { database, clock } = context.services;
    const [appId, owner] = [Number(request.getStage('app_id')), Number(request.getStage('owner'))];
    const app = await findShownApp(context, request, { app_id: appId, owner });
    if (app instanceof Rejection) return response.refuse(app.refusal);
    const before = Number(request.getStage('before'));
    const now = toSeconds(clock.now());
    const query = { appId: app.appId, now, ...(Number.isSafeInteger(before) && before > 0 ? { before } : {}) };
    const found = await findSessions(database, query);
    const rows = found.slice(0, SESSION_ROWS).map(toSessionView);
    response.succeed({
      rows,
      total: await countSessions(database, app.appId, now),
      next: found.length > SESSION_ROWS ? rows.at(-1)?.grant_id : null,
    });
  },
};
