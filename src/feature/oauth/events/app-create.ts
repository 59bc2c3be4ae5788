import { toSeconds } from '../../../core/clock.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import { createToken, digest } from '../../../core/secret/secret.ts';
import { translate } from '../../../core/text/translate.ts';
import { toInvalidMessage } from '../../../model/field/validate.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { findPending } from '../client/allowed-scopes.ts';
import {
  deriveHookSecrets,
  findRegistrationErrors,
  findWarning,
  parseRegistration,
  toColumns,
} from '../client/registration.ts';
import { findPendingHooks } from '../client/subscribed-hooks.ts';
import { countOwnApps, insertApp } from '../sql.ts';

/** Apps that one account may register, not counting those of definition files. */
const MOST_APPS = 50;

async function create(context: Context, request: Request, response: Response): Promise<void> {
  const { database, clock, random } = context.services;
  const registration = parseRegistration(request);
  const owner = Number(request.getStage('owner'));
  const errors = findRegistrationErrors(context, registration);
  if (!Number.isSafeInteger(owner) || owner < 1) errors.owner = 'Should be the account that registers the app';
  if (Object.keys(errors).length > 0) {
    return response.refuse({ status: 422, message: toInvalidMessage(errors), validation: errors });
  }
  const secret = registration.isPublic ? undefined : createToken(random, 'tk_cs_');
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
    return response.refuse({ status: 409, message });
  }
  response.succeed({
    app_id: app.appId,
    title: app.title,
    client_id: app.clientId,
    ...(secret === undefined ? {} : { client_secret: secret }),
    pending: findPending(context, app),
    pending_hooks: findPendingHooks(context, app),
    webhook_secrets: deriveHookSecrets(context, app),
    warning: findWarning(context, registration.webhook),
  });
}

export const appCreate: EventContribution = {
  name: 'app-create',
  description: 'Registers an app.',
  stage: {
    title: 'Title that users see in the consent dialog.',
    owner: 'Account (`auth_id`) that registers it.',
    website: "The app's website.",
    redirect_uris: 'Redirect URIs: a list, or one per line.',
    scopes: 'Slugs of the scopes that the app may request or holds.',
    webhook: 'URL that receives its web hooks.',
    hooks: 'Names of the web hooks that it receives.',
    public: '`1` for a public app, which cannot keep a secret and must use PKCE.',
    pkce_optional: '`1` makes PKCE optional for a confidential app.',
  },
  results:
    '`app_id`, `client_id`, `pending` (scopes that wait for approval), `pending_hooks` (web hooks that do), and, only this once, `client_secret` and `webhook_secrets`.',
  kind: 'writes',
  listen: (context) => (request, response) => create(context, request, response),
};
