import { toStamp } from '../../../core/clock.ts';
import type { Request } from '../../../core/request.ts';
import type { Response } from '../../../core/response.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { hasSecondFactor } from '../../../plan/person.ts';
import { readText, toAccount } from '../account.ts';
import { invalid, LINK_GONE, tellBusy } from '../errors.ts';
import { findToken, removeTokens, takeToken } from '../mail-token.ts';
import { findPasswordFaults, makeHash } from '../password-rule.ts';
import { deleteLinks } from '../provider/sql.ts';
import { findAuth, findProfile, updateAuth } from '../sql.ts';

async function recover(context: Context, request: Request, response: Response): Promise<void> {
  const { services, plan } = context;
  const { database, clock, sessions } = services;
  const token = await findToken(services, request.getStage('token'), 'recover', 'invite');
  const auth = token && (await findAuth(database, 'auth_id', token.auth_id));
  if (token === undefined || auth?.auth_active !== 1) return response.refuse(LINK_GONE);
  const password = readText(request.getStage('auth_password'));
  const confirm = request.getStage('confirm');
  const faults = findPasswordFaults(password, confirm === undefined ? undefined : readText(confirm));
  if (Object.keys(faults).length > 0) return response.refuse(invalid(faults));
  const hash = await makeHash(context, request, password);
  await database.transaction(async () => {
    if (!(await takeToken(database, token))) return response.refuse(LINK_GONE);
    await removeTokens(database, auth.auth_id);
    // Whoever signed up with this address before it was confirmed keeps no way in.
    // Second factors stay: a mailbox must not lead around them.
    if (auth.auth_verified !== 1) await deleteLinks(database, auth.auth_id);
    // The link was in the mailbox, so the address is the user's. Not if somebody else may have put a second factor on the
    // account before: its passkey would then open an account with a confirmed address.
    const isConfirmed = auth.auth_verified === 1 || !hasSecondFactor(auth);
    const changes = { auth_password: hash, auth_verified: isConfirmed ? 1 : 0, auth_updated: toStamp(clock.now()) };
    const row = await updateAuth(database, auth.auth_id, changes);
    response.succeed(toAccount(plan.model, row ?? auth, await findProfile(database, auth.profile_id)));
    await context.committing('auth-recover', request, response);
  });
  if (!response.isError()) await sessions.endAll(auth.auth_id);
}

export const authRecover: EventContribution = {
  event: 'auth-recover',
  description:
    'Sets a new password by a mailed link, which works once; ends all sessions and the access of apps, and confirms the e-mail address. An address that was not confirmed when a second factor was added stays so.',
  stage: {
    token: 'From the link.',
    auth_password: 'New password.',
    confirm: 'The new password again, for forms. Optional.',
  },
  results: 'The account and its profile in one row, without the password.',
  commits: 'self',
  listen: (context) => tellBusy((request, response) => recover(context, request, response)),
};
