import * as z from 'zod';
import { defineEvent } from '../../../plan/event/event.ts';
import { optionalLookupId } from '../../../plan/event/value.ts';
import { appIds, parseApp, toAppIds } from '../client/app-row.ts';
import { findPendingHooks } from '../client/subscribed-hooks.ts';
import { APP } from '../tables.ts';

/** PostgreSQL refuses a greater id. */
const MOST_ID = 2 ** 31 - 1;
const toFoundId = (id: number): number => (id <= MOST_ID ? id : 0);

export const webhookAppSearch = defineEvent({
  name: 'webhook-app-search',
  description: 'Finds apps, including suspended ones, with the web hooks that they receive.',
  kind: 'silent',
  stage: () =>
    z.object({
      owner: optionalLookupId('Only apps of this account (`auth_id`).'),
      app_id: optionalLookupId('Only this app.'),
      client_id: z.coerce.string<string>().optional().describe('Only the app with this client id.'),
    }),
  results: () =>
    z
      .object({
        rows: z.array(
          z.object({
            ...appIds(),
            name: z.string().nullable(),
            title: z.string(),
            webhook: z.string().nullable(),
            hooks: z.array(z.string()),
            pending: z.array(z.string()),
            active: z.boolean(),
            stopped: z.boolean(),
            public: z.boolean(),
            secret_version: z.number(),
          }),
        ),
      })
      .describe(
        '`rows`: `app_id`, `client_id`, `name` of its file or null, `title`, `webhook`, `hooks`, `pending` (hooks of these that wait for approval), `active`, `stopped` (by its owner), `public`, `secret_version`.',
      ),
  async run({ owner, app_id: appId, client_id: clientId }, context) {
    let query = context.services.database.kysely.selectFrom(APP).selectAll().orderBy('app_id');
    if (owner !== undefined) query = query.where('owner_auth_id', '=', toFoundId(owner));
    if (appId !== undefined) query = query.where('app_id', '=', toFoundId(appId));
    if (clientId !== undefined) query = query.where('client_id', '=', clientId);
    const rows = (await query.execute()).map((row) => {
      const app = parseApp(row);
      return {
        ...toAppIds(app),
        name: app.name ?? null,
        title: app.title,
        webhook: app.webhook ?? null,
        hooks: [...app.hooks],
        pending: [...findPendingHooks(context, app)],
        active: app.isActive,
        stopped: app.isStopped,
        public: app.secretHash === undefined,
        secret_version: Number(row.secret_version ?? 1),
      };
    });
    return { rows };
  },
});
