import * as z from 'zod';
import { defineEvent, Rejection } from '../../../../plan/event/event.ts';
import { accountKeys, accountRow } from '../../account/account-stage.ts';
import { deleteTotp, findOwner, removeFactors } from '../factors.ts';

export const authTotpRemove = defineEvent({
  name: 'auth-totp-remove',
  description:
    'Takes the authenticator app from an account, mails the owner, and takes the trust from all devices. With the last factor the recovery codes go, too.',
  kind: 'self',
  stage: () => z.object(accountKeys()),
  results: accountRow,
  async run(selection, context, exchange) {
    const auth = await findOwner(context, selection, exchange);
    if (auth instanceof Rejection) return auth;
    return removeFactors(context, exchange, auth, {
      factor: 'the authenticator app',
      write: () => deleteTotp(context.services, auth.auth_id),
      missing: () => ({ status: 404, code: 'FACTOR_UNKNOWN', message: 'The account has no authenticator app.' }),
    });
  },
});
