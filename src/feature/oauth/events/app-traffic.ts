import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import { defineEvent, Rejection } from '../../../plan/event/event.ts';
import { anyOwnerStage, findShownApp } from '../client/owned-app.ts';
import { findUnwritten } from '../client/traffic.ts';
import { findTraffic } from '../client/traffic-sql.ts';

const DAY = 86_400;
const DAYS = 31;

const hour = () =>
  z.object({
    hour: z.number(),
    succeeded: z.number(),
    refused: z.number(),
    failed: z.number(),
    last_at: z.number(),
  });

export const appTraffic = defineEvent({
  name: 'app-traffic',
  description: "An app's requests of the last 31 days by hour and class of status.",
  kind: 'silent',
  stage: () => z.object(anyOwnerStage()),
  results: () =>
    z
      .object({ rows: z.array(hour()) })
      .describe(
        '`rows`: `hour` (unix seconds of its start), `succeeded` (below 400), `refused` (4xx), `failed` (5xx), `last_at`. Hours without requests are left out.',
      ),
  async run(stage, context, { request }) {
    const { database, clock } = context.services;
    const app = await findShownApp(context, request, stage);
    if (app instanceof Rejection) return app;
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
    return { rows };
  },
});
