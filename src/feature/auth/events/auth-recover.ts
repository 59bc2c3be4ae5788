import { toStamp } from '../../../core/clock.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { readText, toAccount } from '../account/account.ts';
import { dropUnproven } from '../account/first-proof.ts';
import { invalid, LINK_GONE, tellBusy } from '../errors.ts';
import { findToken, removeTokens, takeToken } from '../mail/mail-token.ts';
import { findPasswordErrors, makeHash } from '../password-rule.ts';
import { findAuth, findProfile, updateAuth } from '../sql.ts';

async function recover(context: Context, request: Request, response: Response): Promise<void> {
  const { services } = context;
  const { database, clock, sessions } = services;
  const token = await findToken(services, request.getStage('token'), 'recover', 'invite');
  const auth = token && (await findAuth(database, 'auth_id', token.auth_id));
  if (token === undefined || auth?.auth_active !== 1) return response.refuse(LINK_GONE);
  const password = readText(request.getStage('auth_password'));
  const confirm = request.getStage('confirm');
  const errors = findPasswordErrors(password, confirm === undefined ? undefined : readText(confirm));
  if (Object.keys(errors).length > 0) return response.refuse(invalid(errors));
  const hash = await makeHash(context, request, password);
  await database.transaction(async () => {
    if (!(await takeToken(database, token))) return response.refuse(LINK_GONE);
    // Once the address is confirmed, a mailbox does not lead around the second factors. Before, they may be a stranger's.
    const dropped = auth.auth_verified === 1 ? {} : await dropUnproven(services, auth.auth_id);
    await removeTokens(database, auth.auth_id);
    // The link was in the mailbox, so the address is the user's.
    const stamp = toStamp(clock.now());
    const changes = { ...dropped, auth_password: hash, auth_verified: 1, auth_updated: stamp };
    const row = await updateAuth(database, auth.auth_id, changes);
    response.succeed(toAccount(context, row ?? auth, await findProfile(database, auth.profile_id)));
    await context.committing('auth-recover', request, response);
  });
  if (!response.isError()) await sessions.endAll(auth.auth_id);
}

export const authRecover: EventContribution = {
  name: 'auth-recover',
  description:
    'Sets a new password by a mailed link, which works once; ends all sessions and the access of apps, and confirms the e-mail address. If the address was not confirmed before, it also removes second factors, trusted devices and linked providers: somebody else may have signed up with it.',
  stage: {
    token: 'From the link.',
    auth_password: 'New password.',
    confirm: 'The new password again, for forms. Optional.',
  },
  results: 'The account and its profile in one row, without the password.',
  kind: 'self',
  listen: (context) => tellBusy((request, response) => recover(context, request, response)),
};
