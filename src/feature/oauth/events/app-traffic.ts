import { toSeconds } from '../../../core/clock.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { ANY_STAGE, findShownApp } from '../client/owned-app.ts';
import { findUnwritten } from '../client/traffic.ts';
import { findTraffic } from '../client/traffic-sql.ts';

const DAY = 86_400;
const DAYS = 31;

export const appTraffic: EventContribution = {
  name: 'app-traffic',
  description: "An app's requests of the last 31 days by hour and class of status.",
  stage: { app_id: 'The app.', owner: 'The account that owns the app.', ...ANY_STAGE },
  results:
    '`rows`: `hour` (unix seconds of its start), `succeeded` (below 400), `refused` (4xx), `failed` (5xx), `last_at`. Hours without requests are left out.',
  kind: 'silent',
  listen: (context) => async (request, response) => {
    const { database, clock } = context.services;
    const app = await findShownApp(context, request, response);
    if (!app) return;
    const written = await findTraffic(database, app.appId, toSeconds(clock.now()) - DAYS * DAY);
    const byHour = new Map(written.map((row) => [row.hour, row]));
    for (const more of findUnwritten(context.services, app.appId)) {
      const before = byHour.get(more.hour);
      byHour.set(more.hour, {
        ...more,
        succeeded: more.succeeded + (before?.succeeded ?? 0),
        refused: more.refused + (before?.refused ?? 0),
        failed: more.failed + (before?.failed ?? 0),
      });
    }
    const rows = [...byHour.values()]
      .sort((a, b) => a.hour - b.hour)
      .map(({ hour, succeeded, refused, failed, lastAt }) => ({ hour, succeeded, refused, failed, last_at: lastAt }));
    response.succeed({ rows });
  },
};
