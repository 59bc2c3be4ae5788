import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import { createToken, digest } from '../../../core/secret/secret.ts';
import { translate } from '../../../core/text/translate.ts';
import { defineEvent, reject, rejectValues } from '../../../plan/event/event.ts';
import { lookupId, tick } from '../../../plan/event/value.ts';
import {
  describeRegistration,
  findRegistrationErrors,
  registrationResults,
  registrationStage,
  toColumns,
} from '../client/registration.ts';
import { countOwnApps, insertApp } from '../sql.ts';

/** Apps that one account may register, not counting those of definition files. */
const MOST_APPS = 50;

export const appCreate = defineEvent({
  name: 'app-create',
  description: 'Registers an app.',
  kind: 'writes',
  stage: () => {
    const { title, pkce_optional, ...rest } = registrationStage();
    return z.object({
      title,
      owner: lookupId('Account (`auth_id`) that registers it.'),
      ...rest,
      public: tick('`1` for a public app, which cannot keep a secret and must use PKCE.'),
      pkce_optional,
    });
  },
  results: () =>
    z
      .object({ ...registrationResults(), title: z.string(), client_secret: z.string().optional() })
      .describe(
        '`app_id`, `client_id`, `pending` (scopes that wait for approval), `pending_hooks` (web hooks that do), and, only this once, `client_secret` and `webhook_secrets`.',
      ),
  async run({ owner, ...registration }, context) {
    const { database, clock, random } = context.services;
    const errors = findRegistrationErrors(context, registration);
    if (owner < 1) errors.owner = 'Should be the account that registers the app';
    if (Object.keys(errors).length > 0) return rejectValues(errors);
    const secret = registration.public ? undefined : createToken(random, 'tk_cs_');
    const app = await database.write(async () => {
      if ((await countOwnApps(database, owner)) >= MOST_APPS) return undefined;
      return insertApp(database, {
        ...toColumns(registration),
        client_id: createToken(random, 'app_', 16),
        name: null,
        secret_hash: secret === undefined ? null : digest(secret),
        owner_auth_id: owner,
        remember_consent: 0,
        active: 1,
        created_at: toSeconds(clock.now()),
      });
    });
    if (!app) {
      const message = translate(
        'An account registers at most {count} apps. Remove one that is not used any more first.',
        { count: MOST_APPS },
      );
      return reject({ status: 409, code: 'STATE_CONFLICT', message });
    }
    return {
      app_id: app.appId,
      title: app.title,
      client_id: app.clientId,
      ...(secret === undefined ? {} : { client_secret: secret }),
      ...describeRegistration(context, app),
    };
  },
});
