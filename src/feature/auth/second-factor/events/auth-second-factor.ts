import * as z from 'zod';
import { commitResults } from '../../../../plan/event/commit.ts';
import { defineEvent, Rejection, reject } from '../../../../plan/event/event.ts';
import { onlyTrue, text } from '../../../../plan/event/value.ts';
import { toAccount } from '../../account/account.ts';
import { accountKeys, accountRow } from '../../account/account-stage.ts';
import { INACTIVE } from '../../errors.ts';
import { findProfile } from '../../sql.ts';
import { checkCode } from '../code.ts';
import { findOwner } from '../factors.ts';
import { checkPasskey, credentialKeys } from '../passkey/check.ts';

export const authSecondFactor = defineEvent({
  name: 'auth-second-factor',
  description:
    'Checks a second factor of an account: a code, a recovery code or a passkey. Failed attempts are limited as those of passwords are. A login that it completes also fires the web hooks of `auth-login`.',
  kind: 'self',
  stage: () =>
    z.object({
      ...accountKeys(),
      auth_code: text('The code of the authenticator app. Each works once.'),
      recovery_code: text('Instead: a recovery code. Each works once.'),
      ...credentialKeys('Instead: the answer of a passkey as JSON, with `state` from `/auth/passkey/options`.'),
      is_login: onlyTrue('True if this is the second step of a login.'),
    }),
  results: accountRow,
  async run(stage, context, exchange) {
    const { database } = context.services;
    const { request, response } = exchange;
    const auth = await findOwner(context, stage, exchange);
    if (auth instanceof Rejection) return auth;
    if (auth.auth_active !== 1) return reject(INACTIVE);
    const proof = stage.credential
      ? await checkPasskey(context, request, stage, { purpose: 'step', auth })
      : await checkCode(context, auth, stage, exchange);
    if (proof instanceof Rejection) return proof;
    return database.write(async () => {
      await commitResults(context, exchange, toAccount(context, auth, await findProfile(database, auth.profile_id)));
      // The login that began with the password is complete now.
      if (stage.is_login) await context.committing('auth-login', request, response);
      return undefined;
    });
  },
});
