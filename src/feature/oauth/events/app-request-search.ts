import * as z from 'zod';
import { defineEvent, Rejection } from '../../../plan/event/event.ts';
import { row } from '../../../plan/event/value.ts';
import { findShownApp, ownedAppStage } from '../client/owned-app.ts';
import { findRequests, STORED_REQUESTS } from '../client/request-log-sql.ts';
import { findUnwrittenRequests } from '../client/traffic.ts';

export const appRequestSearch = defineEvent({
  name: 'app-request-search',
  description: "An app's last 100 requests, newest first.",
  kind: 'silent',
  stage: () => z.object(ownedAppStage()),
  results: () =>
    z
      .object({ rows: z.array(row()) })
      .describe(
        '`rows`: `at` (unix milliseconds), `method`, `path` without its query, `status`, `milliseconds`, `request_id` as in the log.',
      ),
  async run(stage, context, { request }) {
    const app = await findShownApp(context, request, stage);
    if (app instanceof Rejection) return app;
    const waiting = [...findUnwrittenRequests(context.services, app.appId)].reverse();
    const written = await findRequests(context.services.database, app.appId);
    const rows = [...waiting, ...written]
      .slice(0, STORED_REQUESTS)
      .map(({ appId: _, requestId, ...shown }) => ({ ...shown, request_id: requestId }));
    return { rows };
  },
});
