import * as z from 'zod';
import { defineEvent, Rejection, rejectValues } from '../../../plan/event/event.ts';
import { toAppIds } from '../client/app-row.ts';
import { findOwnedApp, ownedAppStage } from '../client/owned-app.ts';
import {
  describeRegistration,
  findRegistrationErrors,
  registrationResults,
  registrationStage,
  toColumns,
} from '../client/registration.ts';
import { updateApp } from '../sql.ts';

export const appUpdate = defineEvent({
  name: 'app-update',
  description: 'Changes an app that was registered in the browser. Keys that are left out are cleared.',
  kind: 'writes',
  stage: () => z.object({ ...ownedAppStage(), ...registrationStage() }),
  results: () =>
    z
      .object(registrationResults())
      .describe(
        '`app_id`, `client_id`, `pending` (scopes that wait for approval), `pending_hooks` (web hooks that do), `webhook_secrets`.',
      ),
  async run({ app_id, owner, ...values }, context, { request }) {
    const { database } = context.services;
    const app = await findOwnedApp(context, request, { app_id, owner });
    if (app instanceof Rejection) return app;
    // Whether an app is public cannot change; its secret tells which it is.
    const registration = { ...values, public: app.secretHash === undefined };
    const errors = findRegistrationErrors(context, registration);
    if (Object.keys(errors).length > 0) return rejectValues(errors);
    await database.write(() => updateApp(database, app.appId, toColumns(registration)));
    const { scopes, hooks, webhook } = registration;
    const changed = { ...app, scopes, hooks, webhook: webhook === '' ? undefined : webhook };
    return { ...toAppIds(app), ...describeRegistration(context, changed) };
  },
});
