import * as z from 'zod';
import { defineEvent, Rejection, reject } from '../../../plan/event/event.ts';
import { appIds, toAppIds } from '../client/app-row.ts';
import { anyOwnerStage, findShownApp } from '../client/owned-app.ts';
import { updateApp } from '../sql.ts';

export const appSandboxRemove = defineEvent({
  name: 'app-sandbox-remove',
  description: "Throws an app's sandbox away, with all rows, accounts and tokens in it.",
  kind: 'silent',
  stage: () => z.object(anyOwnerStage()),
  results: () => z.object(appIds()).describe('`app_id`, `client_id`.'),
  async run(choice, context, { request }) {
    const { database, sandboxes } = context.services;
    const app = await findShownApp(context, request, choice);
    if (app instanceof Rejection) return app;
    if (app.sandbox === undefined)
      return reject({ status: 404, code: 'SANDBOX_MISSING', message: 'The app has no sandbox.' });
    await sandboxes?.remove(app.sandbox.name);
    const nothing = { sandbox: null, sandbox_client_id: null, sandbox_at: null };
    await database.write(() => updateApp(database, app.appId, nothing));
    return toAppIds(app);
  },
});
