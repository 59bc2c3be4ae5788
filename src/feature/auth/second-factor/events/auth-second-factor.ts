import type { Request } from '../../../../core/request/request.ts';
import type { Response } from '../../../../core/request/response.ts';
import type { Context, EventContribution } from '../../../../plan/feature.ts';
import { toAccount } from '../../account/account.ts';
import { INACTIVE } from '../../errors.ts';
import { findProfile } from '../../sql.ts';
import { checkCode } from '../code.ts';
import { findOwner } from '../factors.ts';
import { checkPasskey } from '../passkey/check.ts';

async function check(context: Context, request: Request, response: Response): Promise<void> {
  const { services } = context;
  const { database } = services;
  const exchange = { request, response };
  const auth = await findOwner(context, exchange);
  if (!auth) return;
  if (auth.auth_active !== 1) return response.refuse(INACTIVE);
  const isPasskey = Boolean(request.getStage('credential'));
  const isRight = isPasskey
    ? (await checkPasskey(context, exchange, { purpose: 'step', auth })) !== undefined
    : await checkCode(context, auth, exchange);
  if (!isRight) return;
  await database.write(async () => {
    response.succeed(toAccount(context, auth, await findProfile(database, auth.profile_id)));
    await context.committing('auth-second-factor', request, response);
    // The login that began with the password is complete now.
    if (request.getStage('is_login') === true) await context.committing('auth-login', request, response);
  });
}

export const authSecondFactor: EventContribution = {
  event: 'auth-second-factor',
  description:
    'Checks a second factor of an account: a code, a recovery code or a passkey. Failed attempts are limited as those of passwords are. A login that it completes also fires the web hooks of `auth-login`.',
  stage: {
    auth_id: 'The account, or use `auth_slug`.',
    auth_code: 'The code of the authenticator app. Each works once.',
    recovery_code: 'Instead: a recovery code. Each works once.',
    credential: 'Instead: the answer of a passkey as JSON, with `state` from `/auth/passkey/options`.',
    state: 'With `credential`.',
    is_login: 'True if this is the second step of a login.',
  },
  results: 'The account and its profile in one row, without the password.',
  commits: 'self',
  listen: (context) => (request, response) => check(context, request, response),
};
