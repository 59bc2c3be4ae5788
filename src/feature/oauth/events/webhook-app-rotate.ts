import * as z from 'zod';
import { defineEvent, Rejection } from '../../../plan/event/event.ts';
import { nullableLookupId } from '../../../plan/event/value.ts';
import { anyAppStage, findOwnOrAnyApp } from '../client/any-app.ts';
import { appIds, toAppIds } from '../client/app-row.ts';
import { updateApp } from '../sql.ts';

export const webhookAppRotate = defineEvent({
  name: 'webhook-app-rotate',
  description: 'Raises the secret version of an app, which gives its web hooks new signing secrets.',
  kind: 'writes',
  stage: () =>
    z.object({
      ...anyAppStage(),
      owner: nullableLookupId(
        'Only an app of this account (`auth_id`). Without it: any app that was registered in the browser.',
      ),
    }),
  results: () =>
    z.object({ ...appIds(), secret_version: z.number() }).describe('`app_id`, `client_id`, `secret_version`.'),
  async run(stage, context, { request }) {
    const { database } = context.services;
    const app = await findOwnOrAnyApp(context, request, stage);
    if (app instanceof Rejection) return app;
    const version = app.secretVersion + 1;
    await database.write(() => updateApp(database, app.appId, { secret_version: version }));
    return { ...toAppIds(app), secret_version: version };
  },
});
