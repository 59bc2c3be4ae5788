import * as z from 'zod';
import { defineEvent, Rejection } from '../../../plan/event/event.ts';
import { nullableLookupId } from '../../../plan/event/value.ts';
import { anyAppStage, findOwnOrAnyApp } from '../client/any-app.ts';
import { appIds, toAppIds } from '../client/app-row.ts';
import { deleteApp } from '../sql.ts';

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
    const { database, sandboxes } = context.services;
    const app = await findOwnOrAnyApp(context, request, stage, { takesLeft: true });
    if (app instanceof Rejection) return app;
    await database.transaction(() => deleteApp(database, app.appId));
    if (app.sandbox !== undefined) await sandboxes?.remove(app.sandbox.name);
    return toAppIds(app);
  },
});
