import { toInvalidMessage } from '../../../model/field/validate.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { findPending } from '../client/allowed-scopes.ts';
import { findOwnedApp } from '../client/owned-app.ts';
import {
  deriveHookSecrets,
  findRegistrationErrors,
  findWarning,
  parseRegistration,
  toColumns,
} from '../client/registration.ts';
import { findPendingHooks } from '../client/subscribed-hooks.ts';
import { updateApp } from '../sql.ts';

export const appUpdate: EventContribution = {
  name: 'app-update',
  description: 'Changes an app that was registered in the browser. Keys that are left out are cleared.',
  stage: {
    app_id: 'The app.',
    owner: 'The account that owns the app.',
    title: 'Title that users see in the consent dialog.',
    website: "The app's website.",
    redirect_uris: 'Redirect URIs: a list, or one per line.',
    scopes: 'Slugs of the scopes that the app may request or holds.',
    webhook: 'URL that receives its web hooks.',
    hooks: 'Names of the web hooks that it receives.',
    pkce_optional: '`1` makes PKCE optional for a confidential app.',
  },
  results:
    '`app_id`, `client_id`, `pending` (scopes that wait for approval), `pending_hooks` (web hooks that do), `webhook_secrets`.',
  kind: 'writes',
  listen: (context) => async (request, response) => {
    const { database } = context.services;
    const app = await findOwnedApp(context, request, response);
    if (!app) return;
    // Whether an app is public cannot change; its secret tells which it is.
    const registration = { ...parseRegistration(request), isPublic: app.secretHash === undefined };
    const errors = findRegistrationErrors(context, registration);
    if (Object.keys(errors).length > 0) {
      return response.refuse({ status: 422, message: toInvalidMessage(errors), validation: errors });
    }
    await database.write(() => updateApp(database, app.appId, toColumns(registration)));
    const webhook = registration.webhook === '' ? undefined : registration.webhook;
    response.succeed({
      app_id: app.appId,
      client_id: app.clientId,
      pending: findPending(context, { ...app, scopes: registration.scopes }),
      pending_hooks: findPendingHooks(context, { ...app, hooks: registration.hooks }),
      webhook_secrets: deriveHookSecrets(context, { ...app, webhook, hooks: registration.hooks }),
      warning: findWarning(context, registration.webhook),
    });
  },
};
