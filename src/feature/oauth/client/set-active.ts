import * as z from 'zod';
import { defineEvent, Rejection, reject } from '../../../plan/event/event.ts';
import { nullableLookupId } from '../../../plan/event/value.ts';
import type { EventRecord } from '../../../plan/feature.ts';
import { setAppState } from '../sql.ts';
import { APP_STATE } from '../tables.ts';
import { anyAppStage, findOwnOrAnyApp } from './any-app.ts';
import { appIds, toAppIds } from './app-row.ts';

const SUSPENDED = 'This app was suspended by whoever runs this site; ask there.';

/**
 * Makes the event that suspends or resumes an app registered in the browser. An owner cannot resume what the operator
 * suspended.
 */
export const defineSetActive = (name: string, description: string, isActive: boolean): EventRecord =>
  defineEvent({
    name,
    description,
    kind: 'writes',
    stage: () =>
      z.object({
        ...anyAppStage(),
        owner: nullableLookupId(
          'Only an app of this account (`auth_id`). An owner cannot resume an app that an administrator suspended.',
        ),
      }),
    results: () => z.object(appIds()).describe('`app_id`, `client_id`.'),
    async run(stage, context, { request }) {
      const { database } = context.services;
      const app = await findOwnOrAnyApp(context, request, stage);
      if (app instanceof Rejection) return app;
      const isOwner = stage.owner !== undefined;
      const off = isOwner ? APP_STATE.stopped : APP_STATE.suspended;
      const state = isActive ? APP_STATE.active : off;
      const isSet = await database.write(() => setAppState(database, app.appId, state, isOwner));
      return isSet ? toAppIds(app) : reject({ status: 403, code: 'APP_SUSPENDED', message: SUSPENDED });
    },
  });
