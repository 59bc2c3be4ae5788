import { Rejection } from '../../../plan/event/event.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { findShownApp } from '../client/owned-app.ts';
import { findRequests, STORED_REQUESTS } from '../client/request-log-sql.ts';
import { findUnwrittenRequests } from '../client/traffic.ts';

export const appRequestSearch: EventContribution = {
  name: 'app-request-search',
  description: "An app's last 100 requests, newest first.",
  stage: { app_id: 'The app.', owner: 'The account that owns the app.' },
  results:
    '`rows`: `at` (unix milliseconds), `method`, `path` without its query, `status`, `milliseconds`, `request_id` as in the log.',
  kind: 'silent',
  listen: (context) => async (request, response) => {
    const [appId, owner] = [Number(request.getStage('app_id')), Number(request.getStage('owner'))];
    const app = await findShownApp(context, request, { app_id: appId, owner });
    if (app instanceof Rejection) return response.refuse(app.refusal);
    const waiting = [...findUnwrittenRequests(context.services, app.appId)].reverse();
    const written = await findRequests(context.services.database, app.appId);
    const rows = [...waiting, ...written]
      .slice(0, STORED_REQUESTS)
      .map(({ appId: _, requestId, ...row }) => ({ ...row, request_id: requestId }));
    response.succeed({ rows });
  },
};
