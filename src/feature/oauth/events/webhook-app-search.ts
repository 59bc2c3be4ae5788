import type { EventContribution } from '../../../plan/feature.ts';
import { parseApp } from '../client/app-row.ts';
import { findPendingHooks } from '../client/subscribed-hooks.ts';
import { APP } from '../tables.ts';

/** Ids count from 1; anything else finds nothing. */
function toId(value: unknown): number {
  const id = Number(value);
  return Number.isSafeInteger(id) && id <= 2 ** 31 - 1 ? id : 0;
}

export const webhookAppSearch: EventContribution = {
  name: 'webhook-app-search',
  description: 'Finds apps, including suspended ones, with the web hooks that they receive.',
  stage: {
    owner: 'Only apps of this account (`auth_id`).',
    app_id: 'Only this app.',
    client_id: 'Only the app with this client id.',
  },
  results:
    '`rows`: `app_id`, `client_id`, `name` of its file or null, `title`, `webhook`, `hooks`, `pending` (hooks of these that wait for approval), `active`, `stopped` (by its owner), `public`, `secret_version`.',
  kind: 'silent',
  listen: (context) => async (request, response) => {
    const [owner, appId, clientId] = ['owner', 'app_id', 'client_id'].map((key) => request.getStage(key));
    let query = context.services.database.kysely.selectFrom(APP).selectAll().orderBy('app_id');
    if (owner !== undefined) query = query.where('owner_auth_id', '=', toId(owner));
    if (appId !== undefined) query = query.where('app_id', '=', toId(appId));
    if (clientId !== undefined) query = query.where('client_id', '=', String(clientId));
    const rows = await query.execute();
    const apps = rows.map((row) => {
      const app = parseApp(row);
      const { appId, clientId, name, title, webhook, hooks, isActive, isStopped, secretHash } = app;
      return {
        app_id: appId,
        client_id: clientId,
        name: name ?? null,
        title,
        webhook: webhook ?? null,
        hooks,
        pending: findPendingHooks(context, app),
        active: isActive,
        stopped: isStopped,
        public: secretHash === undefined,
        secret_version: Number(row.secret_version ?? 1),
      };
    });
    response.succeed({ rows: apps });
  },
};
