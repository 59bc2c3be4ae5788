import type { EventContribution } from '../../../plan/feature.ts';
import { findAnyApp } from '../client/any-app.ts';
import { findOwnedApp } from '../client/owned-app.ts';
import { updateApp } from '../sql.ts';

export const webhookAppRotate: EventContribution = {
  name: 'webhook-app-rotate',
  description: 'Raises the secret version of an app, which gives its web hooks new signing secrets.',
  stage: {
    app_id: 'The app, or use `client_id`.',
    client_id: 'Its client id.',
    owner: 'Only an app of this account (`auth_id`). Without it: any app that was registered in the browser.',
  },
  results: '`app_id`, `client_id`, `secret_version`.',
  kind: 'writes',
  listen: (context) => async (request, response) => {
    const { database } = context.services;
    const find = request.hasStage('owner') ? findOwnedApp : findAnyApp;
    const app = await find(context, request, response);
    if (!app) return;
    const version = app.secretVersion + 1;
    await database.write(() => updateApp(database, app.appId, { secret_version: version }));
    response.succeed({ app_id: app.appId, client_id: app.clientId, secret_version: version });
  },
};
