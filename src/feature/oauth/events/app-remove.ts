import type { EventContribution } from '../../../plan/feature.ts';
import { findAnyApp } from '../client/any-app.ts';
import { findOwnedApp } from '../client/owned-app.ts';
import { deleteApp } from '../sql.ts';

export const appRemove: EventContribution = {
  name: 'app-remove',
  description: 'Removes an app with its consents and tokens.',
  stage: {
    app_id: 'The app, or use `client_id`.',
    client_id: 'Its client id.',
    owner: 'Only an app of this account (`auth_id`). Without it: any app that has no definition file.',
  },
  results: '`app_id`, `client_id`.',
  kind: 'writes',
  listen: (context) => async (request, response) => {
    const { database } = context.services;
    const app = request.hasStage('owner')
      ? await findOwnedApp(context, request, response)
      : await findAnyApp(context, request, response, { takesLeft: true });
    if (!app) return;
    await database.transaction(() => deleteApp(database, app.appId));
    response.succeed({ app_id: app.appId, client_id: app.clientId });
  },
};
