import type { Request } from '../../../../core/request/request.ts';
import type { Response } from '../../../../core/request/response.ts';
import type { Context, EventContribution } from '../../../../plan/feature.ts';
import { parseId } from '../../account/account.ts';
import { LAST_WAY_IN } from '../../errors.ts';
import { listLinks } from '../../provider/sql.ts';
import { countWaysIn } from '../../provider/ways-in.ts';
import type { AuthRow } from '../../sql.ts';
import { changeFactors, findOwner } from '../factors.ts';
import { deletePasskey, listPasskeys } from '../passkey/sql.ts';

/** Whether only one passkey opens the account. Asked inside the transaction: two removals at once must not take the last two. */
async function isLastWayIn(context: Context, auth: AuthRow): Promise<boolean> {
  const { services } = context;
  if ((await listPasskeys(services, auth.auth_id)).length > 1) return false;
  return countWaysIn(context, auth, await listLinks(services.database, auth.auth_id)) === 1;
}

async function remove(context: Context, request: Request, response: Response): Promise<void> {
  const { services } = context;
  const auth = await findOwner(context, { request, response });
  if (!auth) return;
  const passkeyId = parseId(request.getStage('passkey'));
  const rows = await listPasskeys(services, auth.auth_id);
  const found = rows.find((row) => Number(row.passkey_id) === passkeyId);
  const missing = { status: 404, message: 'There is no such passkey.' };
  if (!found || passkeyId === undefined) return response.refuse(missing);
  const state = { refusal: missing };
  const write = async (current: AuthRow): Promise<boolean> => {
    if (await isLastWayIn(context, current)) {
      state.refusal = { status: 409, message: LAST_WAY_IN };
      return false;
    }
    return (await deletePasskey(services, auth.auth_id, passkeyId)) !== undefined;
  };
  const factor = `the passkey “${found.name}”`;
  const change = { event: 'auth-passkey-remove', mail: 'auth-factor-removed', factor, write } as const;
  if (!(await changeFactors(context, { request, response }, { auth, change }))) response.refuse(state.refusal);
}

export const authPasskeyRemove: EventContribution = {
  name: 'auth-passkey-remove',
  description:
    'Removes a passkey of an account, mails the owner, and takes the trust from all devices. With the last factor the recovery codes go, too. Refuses the last way in.',
  stage: { auth_id: 'The account, or use `auth_slug`.', passkey: 'Id of the passkey.' },
  results: 'The account and its profile in one row, without the password.',
  kind: 'self',
  listen: (context) => (request, response) => remove(context, request, response),
};
