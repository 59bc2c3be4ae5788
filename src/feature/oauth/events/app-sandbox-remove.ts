import * as z from 'zod';
import { defineEvent, Rejection, reject } from '../../../plan/event/event.ts';
import { appIds, toAppIds } from '../client/app-row.ts';
import { anyOwnerStage, findShownApp } from '../client/owned-app.ts';
import { endSandboxes } from '../client/sandbox-end.ts';
import { NO_SANDBOX, updateSandbox } from '../client/sandbox-sql.ts';

export const appSandboxRemove = defineEvent({
  name: 'app-sandbox-remove',
  description: "Throws an app's sandbox away, with all rows, accounts and tokens in it.",
  kind: 'silent',
  stage: () => z.object(anyOwnerStage()),
  results: () => z.object(appIds()).describe('`app_id`, `client_id`.'),
  async run(choice, context, { request }) {
    const { services } = context;
    const app = await findShownApp(context, request, choice);
    if (app instanceof Rejection) return app;
    if (app.sandbox === undefined)
      return reject({ status: 404, code: 'SANDBOX_MISSING', message: 'The app has no sandbox.' });
    const { name: sandbox } = app.sandbox;
    await services.database.write(() => updateSandbox(services.database, { appId: app.appId, sandbox }, NO_SANDBOX));
    await endSandboxes(services, [sandbox]);
    return toAppIds(app);
  },
});
