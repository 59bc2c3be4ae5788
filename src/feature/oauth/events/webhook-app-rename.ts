import { sql } from 'kysely';
import * as z from 'zod';
import { escapeLike } from '../../../model/filter/operator.ts';
import { defineEvent } from '../../../plan/event/event.ts';
import { lockApp, updateApp } from '../sql.ts';
import { APP } from '../tables.ts';

const change = (list: readonly string[], from: string, to: string): string =>
  JSON.stringify([...new Set(list.map((name) => (name === from ? to : name)))]);

export const webhookAppRename = defineEvent({
  name: 'webhook-app-rename',
  description:
    'Replaces the name of a renamed web hook in the subscriptions and approvals of apps that were registered in the browser.',
  kind: 'silent',
  stage: () =>
    z.object({
      from: z.string().describe('The old name; no hook may have it any more.'),
      to: z.string().describe('The new name.'),
    }),
  results: () => z.object({ count: z.number() }).describe('`count`: apps that were changed.'),
  async run({ from, to }, { services: { database } }) {
    const text = `%${escapeLike(JSON.stringify(from))}%`;
    const { rows } = await sql<{ app_id: number }>`select app_id from ${sql.table(APP)} where name is null
      and (hooks like ${text} escape '\\' or approved_hooks like ${text} escape '\\') order by app_id`.execute(
      database.kysely,
    );
    for (const { app_id: appId } of rows)
      await database.write(async () => {
        const app = await lockApp(database, Number(appId));
        if (!app) return;
        const [hooks, approved] = [change(app.hooks, from, to), change(app.approvedHooks, from, to)];
        await updateApp(database, app.appId, { hooks, approved_hooks: approved });
      });
    return { count: rows.length };
  },
});
