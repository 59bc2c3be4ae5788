import * as z from 'zod';
import { commitResults } from '../../../../plan/event/commit.ts';
import { defineEvent, Rejection, reject } from '../../../../plan/event/event.ts';
import { toAccount } from '../../account/account.ts';
import { accountRow } from '../../account/account-stage.ts';
import { INACTIVE } from '../../errors.ts';
import { findProfile } from '../../sql.ts';
import { NOT_BY_CALL } from '../factors.ts';
import { checkPasskey, credentialKeys } from '../passkey/check.ts';

export const authPasskeyLogin = defineEvent({
  name: 'auth-passkey-login',
  description:
    'Checks a passkey that is the only proof of a login: it says who logs in, and must have verified the user. Also fires the web hooks of `auth-login`.',
  kind: 'self',
  stage: () =>
    z.object(credentialKeys('The answer of the passkey as JSON, with `state` from `/auth/passkey/options`.')),
  results: accountRow,
  async run(sent, context, exchange) {
    const { services, plan } = context;
    const { database } = services;
    const { request, response } = exchange;
    if (request.callFacts !== undefined) return reject(NOT_BY_CALL);
    const auth = await checkPasskey(context, request, sent, { purpose: 'login' });
    if (auth instanceof Rejection) return auth;
    const isWaiting = plan.model.settings.auth.verify && auth.auth_verify === 1 && auth.auth_verified !== 1;
    if (auth.auth_active !== 1 || isWaiting) return reject(INACTIVE);
    return database.write(async () => {
      await commitResults(context, exchange, toAccount(context, auth, await findProfile(database, auth.profile_id)));
      await context.committing('auth-login', request, response);
      return undefined;
    });
  },
});
