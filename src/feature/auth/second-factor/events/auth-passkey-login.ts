import type { Request } from '../../../../core/request/request.ts';
import type { Response } from '../../../../core/request/response.ts';
import type { Context, EventContribution } from '../../../../plan/feature.ts';
import { toAccount } from '../../account/account.ts';
import { INACTIVE } from '../../errors.ts';
import { findProfile } from '../../sql.ts';
import { checkPasskey } from '../passkey/check.ts';

async function logIn(context: Context, request: Request, response: Response): Promise<void> {
  const { services, plan } = context;
  const { database } = services;
  if (request.callFacts !== undefined) {
    return response.refuse({ status: 403, message: 'A call cannot use or change second factors.' });
  }
  const auth = await checkPasskey(context, { request, response }, { purpose: 'login' });
  if (!auth) return;
  const isWaiting = plan.model.settings.auth.verify && auth.auth_verify === 1 && auth.auth_verified !== 1;
  if (auth.auth_active !== 1 || isWaiting) return response.refuse(INACTIVE);
  await database.write(async () => {
    response.succeed(toAccount(context, auth, await findProfile(database, auth.profile_id)));
    await context.committing('auth-passkey-login', request, response);
    await context.committing('auth-login', request, response);
  });
}

export const authPasskeyLogin: EventContribution = {
  name: 'auth-passkey-login',
  description:
    'Checks a passkey that is the only proof of a login: it says who logs in, and must have verified the user. Also fires the web hooks of `auth-login`.',
  stage: {
    credential: 'The answer of the passkey as JSON, with `state` from `/auth/passkey/options`.',
    state: 'With `credential`.',
  },
  results: 'The account and its profile in one row, without the password.',
  kind: 'self',
  listen: (context) => (request, response) => logIn(context, request, response),
};
