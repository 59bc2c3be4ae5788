import * as z from 'zod';
import { hasSecondFactor } from '../../../../access/person.ts';
import { defineEvent, Rejection, reject } from '../../../../plan/event/event.ts';
import { accountKeys } from '../../account/account-stage.ts';
import { findOwner } from '../factors.ts';
import { renewRecovery } from '../recovery.ts';

export const authRecoveryCreate = defineEvent({
  name: 'auth-recovery-create',
  description: 'Makes ten new recovery codes for an account with a second factor; the old ones no longer work.',
  kind: 'silent',
  stage: () => z.object(accountKeys()),
  results: () =>
    z
      .object({ recovery_codes: z.array(z.string()) })
      .describe('`recovery_codes`, ten texts. They are stored as hashes, so nobody can read them again.'),
  async run(selection, context, exchange) {
    const auth = await findOwner(context, selection, exchange);
    if (auth instanceof Rejection) return auth;
    if (!hasSecondFactor(auth)) {
      return reject({ status: 409, code: 'FACTOR_MISSING', message: 'Add an authenticator app or a passkey first.' });
    }
    return { recovery_codes: await renewRecovery(context.services, auth.auth_id) };
  },
});
