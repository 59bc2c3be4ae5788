import * as z from 'zod';
import { defineEvent, Rejection } from '../../../../plan/event/event.ts';
import { accountKeys, accountRow } from '../../account/account-stage.ts';
import { deleteAll, findOwner, removeFactors } from '../factors.ts';

export const authSecondFactorRemove = defineEvent({
  name: 'auth-second-factor-remove',
  description:
    'Takes every second factor from an account, for someone who lost a device: app, passkeys, recovery codes and trusted devices. Mails the owner.',
  kind: 'self',
  stage: () => z.object(accountKeys()),
  results: accountRow,
  async run(selection, context, exchange) {
    const auth = await findOwner(context, selection, exchange);
    if (auth instanceof Rejection) return auth;
    return removeFactors(context, exchange, auth, {
      factor: 'every second factor',
      write: () => deleteAll(context.services, auth.auth_id),
      missing: () => ({ status: 404, code: 'FACTOR_UNKNOWN', message: 'The account has no second factor.' }),
    });
  },
});
