import { toSeconds } from '../../../core/clock.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { findPending } from '../client/allowed-scopes.ts';
import { findPendingHooks } from '../client/subscribed-hooks.ts';
import { findUnwritten } from '../client/traffic.ts';
import { sumTraffic } from '../client/traffic-sql.ts';
import { findOwnApps } from '../sql.ts';

const DAY = 86_400;

export const appSearch: EventContribution = {
  event: 'app-search',
  description: "Lists an account's apps with their requests of the last day.",
  stage: { owner: 'The account that owns the apps.' },
  results:
    '`rows`: `app_id`, `client_id`, `name` (of its definition file), `title`, `active`, `public`, `scopes`, `pending`, `pending_hooks`, `requests`, `last_at` (unix seconds).',
  commits: 'nothing',
  listen: (context) => async (request, response) => {
    const { database, clock } = context.services;
    const owner = Number(request.getStage('owner'));
    if (!Number.isSafeInteger(owner)) return response.refuse({ status: 400, message: 'owner names no account.' });
    const apps = await findOwnApps(database, owner);
    const sums = await sumTraffic(
      database,
      apps.map(({ appId }) => appId),
      toSeconds(clock.now()) - DAY,
    );
    const rows = apps.map((app) => {
      const waiting = findUnwritten(context.services, app.appId);
      const counted = waiting.reduce((sum, { succeeded, refused, failed }) => sum + succeeded + refused + failed, 0);
      const lastAt = Math.max(sums.get(app.appId)?.lastAt ?? 0, ...waiting.map((count) => count.lastAt));
      return {
        app_id: app.appId,
        client_id: app.clientId,
        name: app.name ?? null,
        title: app.title,
        active: app.isActive ? 1 : 0,
        public: app.secretHash === undefined ? 1 : 0,
        scopes: app.scopes,
        pending: findPending(context, app),
        pending_hooks: findPendingHooks(context, app),
        requests: (sums.get(app.appId)?.count ?? 0) + counted,
        last_at: lastAt === 0 ? null : lastAt,
      };
    });
    response.succeed({ rows });
  },
};
