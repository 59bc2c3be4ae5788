import { toInvalidMessage } from '../../../model/validate.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { refuse, succeed } from '../errors.ts';
import { findPendingHooks } from '../held-hooks.ts';
import { findPending } from '../held-scopes.ts';
import { findOwnedApp } from '../owned-app.ts';
import {
  deriveHookSecrets,
  findRegistrationFaults,
  findWarning,
  parseRegistration,
  toColumns,
} from '../registration.ts';
import { updateApp } from '../sql.ts';

export const appUpdate: EventContribution = {
  event: 'app-update',
  description: 'Changes an app that was registered in the browser; what is left out is emptied.',
  stage: {
    app_id: 'The app.',
    owner: 'The account whose app it is.',
    title: 'Title that a person reads when asked.',
    website: "The app's own site.",
    redirect_uris: 'Addresses that a person may be sent back to: a list, or one a line.',
    scopes: 'Slugs of the scopes that it may ask for or holds.',
    webhook: 'Address that receives its web hooks.',
    hooks: 'Names of the web hooks that it receives.',
    pkce_optional: '`1` lets an app with a secret go without a code challenge.',
  },
  results:
    '`app_id`, `client_id`, `pending` (scopes that wait for approval), `pending_hooks` (web hooks that do), `webhook_secrets`.',
  listen: (context) => async (request, response) => {
    const { database } = context.services;
    const app = await findOwnedApp(context, request, response);
    if (!app) return;
    // What it is, public or not, stays: its secret says so.
    const wish = { ...parseRegistration(request), isPublic: app.secretHash === undefined };
    const faults = findRegistrationFaults(context, wish);
    if (Object.keys(faults).length > 0) {
      return refuse(response, { status: 422, message: toInvalidMessage(faults), fields: faults });
    }
    await database.write(() => updateApp(database, app.appId, toColumns(wish)));
    const webhook = wish.webhook === '' ? undefined : wish.webhook;
    succeed(response, {
      app_id: app.appId,
      client_id: app.clientId,
      pending: findPending(context, { ...app, scopes: wish.scopes }),
      pending_hooks: findPendingHooks(context, { ...app, hooks: wish.hooks }),
      webhook_secrets: deriveHookSecrets(context, { ...app, webhook, hooks: wish.hooks }),
      warning: findWarning(context, wish.webhook),
    });
  },
};
