import type { Context, EventContribution } from '../../../plan/feature.ts';
import { findPending } from '../client/allowed-scopes.ts';
import { findRegisteredApps } from '../client/app-sql.ts';
import { findPendingHooks } from '../client/subscribed-hooks.ts';

/** Apps that are looked at; the newest are. */
const APPS = 2000;
const ROWS = 100;

/** Without a scope or web hook that needs approval no app waits. */
const needsApproval = ({ plan: { model, hooks } }: Context): boolean =>
  [...model.scopes.values()].some(({ definition }) => definition.approval === true) ||
  hooks.some(({ definition }) => definition.approval === true);

export const appPendingSearch: EventContribution = {
  name: 'app-pending-search',
  description: 'Lists the apps with scopes or web hooks that wait for approval, the newest first.',
  stage: {},
  results: '`rows`, at most 100: `app_id`, `client_id`, `title`, `pending` (scopes), `pending_hooks`.',
  kind: 'silent',
  listen: (context) => async (_request, response) => {
    const apps = needsApproval(context) ? await findRegisteredApps(context.services.database, APPS) : [];
    const rows = apps.flatMap((app) => {
      const [pending, pendingHooks] = [findPending(context, app), findPendingHooks(context, app)];
      if (pending.length + pendingHooks.length === 0) return [];
      return [{ app_id: app.appId, client_id: app.clientId, title: app.title, pending, pending_hooks: pendingHooks }];
    });
    response.succeed({ rows: rows.slice(0, ROWS) });
  },
};
