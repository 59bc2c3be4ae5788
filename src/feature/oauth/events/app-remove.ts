import type { EventContribution } from '../../../plan/feature.ts';
import { succeed } from '../errors.ts';
import { findOwnedApp } from '../owned-app.ts';
import { deleteApp } from '../sql.ts';

export const appRemove: EventContribution = {
  event: 'app-remove',
  description: 'Removes an app with its consents and tokens.',
  stage: { app_id: 'The app.', owner: 'The account whose app it is.' },
  results: '`app_id`, `client_id`.',
  commits: 'self',
  listen: (context) => async (request, response) => {
    const { database } = context.services;
    const app = await findOwnedApp(context, request, response);
    if (!app) return;
    await database.transaction(() => deleteApp(database, app.appId));
    succeed(response, { app_id: app.appId, client_id: app.clientId });
  },
};
