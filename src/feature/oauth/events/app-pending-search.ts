import * as z from 'zod';
import { defineEvent } from '../../../plan/event/event.ts';
import type { Context } from '../../../plan/feature.ts';
import { findPending } from '../client/allowed-scopes.ts';
import { appIds, toAppIds } from '../client/app-row.ts';
import { findRegisteredApps } from '../client/app-sql.ts';
import { findPendingHooks } from '../client/subscribed-hooks.ts';

/** Apps that are looked at; the newest are. */
const APPS = 2000;
const ROWS = 100;

/** Without a scope or web hook that needs approval no app waits. */
const needsApproval = ({ plan: { model, hooks } }: Context): boolean =>
  [...model.scopes.values()].some(({ definition }) => definition.approval === true) ||
  hooks.some(({ definition }) => definition.approval === true);

export const appPendingSearch = defineEvent({
  name: 'app-pending-search',
  description: 'Lists the apps with scopes or web hooks that wait for approval, the newest first.',
  kind: 'silent',
  stage: () => z.object({}),
  results: () =>
    z
      .object({
        rows: z.array(
          z.object({
            ...appIds(),
            title: z.string(),
            pending: z.array(z.string()),
            pending_hooks: z.array(z.string()),
          }),
        ),
      })
      .describe('`rows`, at most 100: `app_id`, `client_id`, `title`, `pending` (scopes), `pending_hooks`.'),
  async run(_stage, context) {
    const apps = needsApproval(context) ? await findRegisteredApps(context.services.database, APPS) : [];
    const rows = apps.flatMap((app) => {
      const [pending, hooks] = [findPending(context, app), findPendingHooks(context, app)];
      const isWaiting = pending.length + hooks.length > 0;
      return isWaiting
        ? [{ ...toAppIds(app), title: app.title, pending: [...pending], pending_hooks: [...hooks] }]
        : [];
    });
    return { rows: rows.slice(0, ROWS) };
  },
});
