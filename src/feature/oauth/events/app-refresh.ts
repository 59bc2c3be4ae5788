import { createToken, digest } from '../../../core/secret.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { succeed } from '../errors.ts';
import { findOwnedApp } from '../owned-app.ts';
import { updateApp } from '../sql.ts';

export const appRefresh: EventContribution = {
  event: 'app-refresh',
  description: 'Gives an app a new client secret; the old one stops working at once.',
  stage: { app_id: 'The app.', owner: 'The account whose app it is.' },
  results: '`app_id`, `client_id`, and this once `client_secret`.',
  // Never handed on to a web hook: the results are secrets.
  commits: 'self',
  listen: (context) => async (request, response) => {
    const { database, random } = context.services;
    const app = await findOwnedApp(context, request, response);
    if (!app) return;
    const secret = createToken(random, 'tk_cs_');
    await database.write(() => updateApp(database, app.appId, { secret_hash: digest(secret) }));
    succeed(response, { app_id: app.appId, title: app.title, client_id: app.clientId, client_secret: secret });
  },
};
