import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import { defineEvent, Rejection } from '../../../plan/event/event.ts';
import { optionalLookupId, row } from '../../../plan/event/value.ts';
import { anyOwnerStage, findShownApp } from '../client/owned-app.ts';
import { countSessions, findSessions, SESSION_ROWS } from '../token/session-sql.ts';
import { toSessionView } from '../token/session-view.ts';

export const appSessionSearch = defineEvent({
  name: 'app-session-search',
  description: "Lists an app's sessions, newest first: the consents that have a live token.",
  kind: 'silent',
  stage: () =>
    z.object({
      ...anyOwnerStage(),
      before: optionalLookupId('Only sessions with a lower `grant_id`: the next page.'),
    }),
  results: () =>
    z
      .object({ rows: z.array(row()), total: z.number(), next: z.number().nullable() })
      .describe(
        '`rows`: `grant_id`, `auth_id`, `profile_name`, `scopes`, `created_at`, `used_at`, `expires_at` (unix seconds); `total`; `next`, the `before` of the next page.',
      ),
  async run({ before = 0, ...choice }, context, { request }) {
    const { database, clock } = context.services;
    const app = await findShownApp(context, request, choice);
    if (app instanceof Rejection) return app;
    const now = toSeconds(clock.now());
    const query = { appId: app.appId, now, ...(before > 0 ? { before } : {}) };
    const found = await findSessions(database, query);
    const rows = found.slice(0, SESSION_ROWS).map(toSessionView);
    const total = await countSessions(database, app.appId, now);
    return { rows, total, next: found.length > SESSION_ROWS ? (rows.at(-1)?.grant_id ?? null) : null };
  },
});
