import type { Context, EventContribution } from '../../../plan/feature.ts';
import { setAppState } from '../sql.ts';
import { APP_STATE } from '../tables.ts';
import { findAnyApp } from './any-app.ts';
import { findOwnedApp } from './owned-app.ts';

const SUSPENDED = 'This app was suspended by whoever runs this site; ask there.';

/**
 * Creates the handler that suspends or resumes an app registered in the browser. An owner cannot resume
 * what the operator suspended.
 */
export const setActive =
  (isActive: boolean): EventContribution['listen'] =>
  (context: Context) =>
  async (request, response) => {
    const { database } = context.services;
    const isOwner = request.hasStage('owner');
    const app = await (isOwner ? findOwnedApp : findAnyApp)(context, request, response);
    if (!app) return;
    const off = isOwner ? APP_STATE.stopped : APP_STATE.suspended;
    const state = isActive ? APP_STATE.active : off;
    const isSet = await database.write(() => setAppState(database, app.appId, state, isOwner));
    if (isSet) response.succeed({ app_id: app.appId, client_id: app.clientId });
    else response.refuse({ status: 403, message: SUSPENDED });
  };
