import * as z from 'zod';
import { defineEvent, Rejection, reject } from '../../../../plan/event/event.ts';
import { optionalLookupId } from '../../../../plan/event/value.ts';
import type { Context } from '../../../../plan/feature.ts';
import { accountKeys, accountRow } from '../../account/account-stage.ts';
import { LAST_WAY_IN } from '../../errors.ts';
import { listLinks } from '../../provider/sql.ts';
import { countWaysIn } from '../../provider/ways-in.ts';
import type { AuthRow } from '../../sql.ts';
import { findOwner, removeFactors } from '../factors.ts';
import { deletePasskey, listPasskeys } from '../passkey/sql.ts';

/** Whether only one passkey opens the account. Asked inside the transaction: two removals at once must not take the last two. */
async function isLastWayIn(context: Context, auth: AuthRow): Promise<boolean> {
  const { services } = context;
  if ((await listPasskeys(services, auth.auth_id)).length > 1) return false;
  return countWaysIn(context, auth, await listLinks(services.database, auth.auth_id)) === 1;
}

export const authPasskeyRemove = defineEvent({
  name: 'auth-passkey-remove',
  description:
    'Removes a passkey of an account, mails the owner, and takes the trust from all devices. With the last factor the recovery codes go, too. Refuses the last way in.',
  kind: 'self',
  stage: () => z.object({ ...accountKeys(), passkey: optionalLookupId('Id of the passkey.') }),
  results: accountRow,
  async run({ passkey: passkeyId = 0, ...selection }, context, exchange) {
    const { services } = context;
    const auth = await findOwner(context, selection, exchange);
    if (auth instanceof Rejection) return auth;
    const rows = await listPasskeys(services, auth.auth_id);
    const found = rows.find((row) => Number(row.passkey_id) === passkeyId);
    const state = { refusal: { status: 404, code: 'PASSKEY_MISSING', message: 'There is no such passkey.' } };
    if (!found) return reject(state.refusal);
    const write = async (current: AuthRow): Promise<boolean> => {
      if (await isLastWayIn(context, current)) {
        state.refusal = { status: 409, code: 'LOGIN_LAST', message: LAST_WAY_IN };
        return false;
      }
      return (await deletePasskey(services, auth.auth_id, passkeyId)) !== undefined;
    };
    const factor = `the passkey “${found.name}”`;
    return removeFactors(context, exchange, auth, { factor, write, missing: () => state.refusal });
  },
});
