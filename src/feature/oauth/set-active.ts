import type { Context, EventContribution } from '../../plan/feature.ts';
import { findAnyApp } from './any-app.ts';
import { succeed } from './errors.ts';
import { updateApp } from './sql.ts';

/** The behaviour that suspends an app which was registered in the browser, or lets it work again. */
export const setActive =
  (active: 0 | 1): EventContribution['listen'] =>
  (context: Context) =>
  async (request, response) => {
    const { database } = context.services;
    const app = await findAnyApp(context, request, response);
    if (!app) return;
    await database.write(() => updateApp(database, app.appId, { active }));
    succeed(response, { app_id: app.appId, client_id: app.clientId });
  };
