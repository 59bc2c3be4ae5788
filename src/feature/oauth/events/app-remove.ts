import * as z from 'zod';
import { defineEvent, Rejection } from '../../../plan/event/event.ts';
import { nullableLookupId } from '../../../plan/event/value.ts';
import { anyAppStage, findOwnOrAnyApp } from '../client/any-app.ts';
import { appIds, toAppIds } from '../client/app-row.ts';
import { endSandboxes } from '../client/sandbox-end.ts';
import { deleteApp, lockApp } from '../sql.ts';

export const appRemove = defineEvent({
  name: 'app-remove',
  description: 'Removes an app with its consents and tokens.',
  kind: 'writes',
  stage: () =>
    z.object({
      ...anyAppStage(),
      owner: nullableLookupId(
        'Only an app of this account (`auth_id`). Without it: any app that has no definition file.',
      ),
    }),
  results: () => z.object(appIds()).describe('`app_id`, `client_id`.'),
  async run(stage, context, { request }) {
    const { services } = context;
    const app = await findOwnOrAnyApp(context, request, stage, { takesLeft: true });
    if (app instanceof Rejection) return app;
    await services.database.transaction(async () => {
      // As it is now: a sandbox may have been made meanwhile.
      const now = await lockApp(services.database, app.appId);
      await deleteApp(services.database, app.appId);
      if (now?.sandbox) await endSandboxes(services, [now.sandbox.name]);
    });
    return toAppIds(app);
  },
});
