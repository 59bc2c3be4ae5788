import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { onlyTrue, optionalId, row } from '../../../plan/event/value.ts';
import { findPending } from '../client/allowed-scopes.ts';
import { findApps } from '../client/app-sql.ts';
import { isForAny } from '../client/owned-app.ts';
import { findPendingHooks } from '../client/subscribed-hooks.ts';
import { findUnwritten } from '../client/traffic.ts';
import { sumTraffic } from '../client/traffic-sql.ts';

const DAY = 86_400;

export const appSearch = defineEvent({
  name: 'app-search',
  description: "Lists an account's apps with their requests of the last day.",
  kind: 'silent',
  stage: () =>
    z.object({
      owner: optionalId('The account that owns the apps.'),
      client_id: z.coerce.string<string>().optional().describe('Only the app with this client id.'),
      any: onlyTrue('`true`, set by code: the apps of every owner. For operators.'),
    }),
  results: () =>
    z
      .object({ rows: z.array(row()) })
      .describe(
        '`rows`: `app_id`, `client_id`, `name` (of its definition file), `title`, `active`, `public`, `scopes`, `pending`, `pending_hooks`, `requests`, `last_at` (unix seconds), `website`, `redirect_uris`, `webhook`, `hooks`, `approved`, `approved_hooks`, `stopped`, `owner_auth_id`.',
      ),
  async run({ owner: asked, client_id: clientId }, context, { request }) {
    const { database, clock } = context.services;
    const isAll = isForAny(request);
    if (!isAll && typeof asked !== 'number')
      return reject({ status: 400, code: 'BAD_REQUEST', parameter: 'owner', message: 'owner names no account.' });
    const owner = isAll ? undefined : Number(asked);
    const apps = await findApps(database, { owner, ...(clientId === undefined ? {} : { clientId }) });
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
        website: app.website ?? null,
        redirect_uris: app.redirectUris,
        webhook: app.webhook ?? null,
        hooks: app.hooks,
        approved: app.approved,
        approved_hooks: app.approvedHooks,
        stopped: app.isStopped ? 1 : 0,
        owner_auth_id: app.ownerAuthId ?? null,
      };
    });
    return { rows };
  },
});
