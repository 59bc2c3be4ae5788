import { hasSecondFactor } from '../../../access/person.ts';
import { toStamp } from '../../../core/clock.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { readText, toAccount } from '../account/account.ts';
import { changeAccount } from '../account/change-account.ts';
import { dropUnproven } from '../account/first-proof.ts';
import { findDevice } from '../device.ts';
import {
  EMAIL_TAKEN,
  EMPTY,
  FACTOR_FIRST,
  invalid,
  LINK_GONE,
  LOG_IN_FIRST,
  refuseGuess,
  tellBusy,
  WRONG_PASSWORD_HERE,
} from '../errors.ts';
import { getAccountGrant } from '../find-requested.ts';
import { guess } from '../guesses.ts';
import { sendMail } from '../mail/mail.ts';
import { findToken, type MailToken, removeTokens, takeToken } from '../mail/mail-token.ts';
import { findMe } from '../page.ts';
import { isTooLong } from '../password-rule.ts';
import { type AuthRow, findAuth, findProfile, hasPassword, updateAuth } from '../sql.ts';

/**
 * Checks the password of the account that a link belongs to. An account without one changes its e-mail in a browser that is
 * logged in to it: whoever asked for the link has proven who they are.
 */
async function isOwner(
  context: Context,
  { request, response }: { readonly request: Request; readonly response: Response },
  { auth, token }: { readonly auth: AuthRow; readonly token: MailToken },
): Promise<boolean> {
  const isIn = findMe(request) === auth.auth_id;
  if (token.purpose === 'email' && !hasPassword(auth)) {
    if (!isIn) response.refuse(LOG_IN_FIRST);
    return isIn;
  }
  const isWaiting = context.plan.model.settings.auth.verify && auth.auth_verify === 1;
  // Whoever signed up with somebody's address may hold the factor. An account that waits cannot log in to show it.
  if (token.purpose === 'verify' && hasSecondFactor(auth) && !isWaiting && !isIn) {
    response.refuse(FACTOR_FIRST);
    return false;
  }
  const password = readText(request.getStage('auth_password'));
  if (password === '' || isTooLong(password)) {
    response.refuse(invalid({ auth_password: password === '' ? EMPTY : WRONG_PASSWORD_HERE }));
    return false;
  }
  const guesser = { account: auth.auth_slug, request, device: findDevice(context.services, request, auth) };
  const { isRight, waitSeconds } = await guess(context, guesser, () =>
    context.services.passwords.verify(password, auth.auth_password, guesser.device),
  );
  if (waitSeconds > 0) refuseGuess(response, waitSeconds);
  else if (!isRight) response.refuse(invalid({ auth_password: WRONG_PASSWORD_HERE }));
  return isRight;
}

/**
 * True if somebody else may have used the account before its address is confirmed. Not if the user is logged in to it
 * here, which includes the second factor, and not if nobody could log in to it so far.
 */
function mayBeStrange({ plan }: Context, request: Request, auth: AuthRow): boolean {
  const wasClosed = plan.model.settings.auth.verify && auth.auth_verify === 1;
  return auth.auth_verified !== 1 && !wasClosed && findMe(request) !== auth.auth_id;
}

/**
 * Confirms an address by the mailed link and the account's password. The password is asked for because somebody else may
 * have signed up with the address: a click in the mailbox alone must not open an account whose password others know.
 */
async function verifyByLink(context: Context, request: Request, response: Response): Promise<void> {
  const { services } = context;
  const { database, clock } = services;
  const token = await findToken(services, request.getStage('token'), 'verify', 'email');
  const auth = token && (await findAuth(database, 'auth_id', token.auth_id));
  if (token === undefined || auth?.auth_active !== 1) return response.refuse(LINK_GONE);
  if (!(await isOwner(context, { request, response }, { auth, token }))) return;
  const stamp = toStamp(clock.now());
  const isStrange = mayBeStrange(context, request, auth);
  await database.transaction(async () => {
    if (!(await takeToken(database, token))) return response.refuse(LINK_GONE);
    const { data: slug } = token;
    if (slug !== undefined && (await findAuth(database, 'auth_slug', slug))) {
      return response.refuse({ status: 409, message: EMAIL_TAKEN });
    }
    const dropped = isStrange ? await dropUnproven(services, auth.auth_id) : {};
    const changes = { ...dropped, ...(slug === undefined ? {} : { auth_slug: slug }) };
    const row = await updateAuth(database, auth.auth_id, { ...changes, auth_verified: 1, auth_updated: stamp });
    const profile = await findProfile(database, auth.profile_id);
    response.succeed(toAccount(context, row ?? auth, profile));
    await context.committing('auth-verify', request, response);
    if (slug === undefined) return;
    await removeTokens(database, auth.auth_id);
    // Nobody has proven the old address: it may be a stranger's, which somebody typed at the sign-up.
    if (auth.auth_verified !== 1) return;
    const data = () => ({ email: slug, name: profile?.profile_name });
    await sendMail(context, response, auth, { to: auth.auth_slug, template: 'auth-email-changed', data });
  });
  if ((isStrange || token.purpose === 'email') && !response.isError())
    await services.sessions.endAll(auth.auth_id, request);
}

async function verify(context: Context, request: Request, response: Response): Promise<void> {
  if (request.getStage('token') !== undefined) return verifyByLink(context, request, response);
  if (request.callFacts !== undefined || getAccountGrant('update').rows !== undefined) {
    return response.refuse({ status: 403, message: 'A call cannot verify an account.' });
  }
  const change = { event: 'auth-verify', changes: { auth_verified: 1 }, isEndingSessions: false };
  await changeAccount(context, { request, response }, change);
}

export const authVerify: EventContribution = {
  event: 'auth-verify',
  description:
    "Marks an account's e-mail as verified: by the mailed link and the password, or by `auth_id` on the command line and for administrators. A link of `auth-email` also changes the e-mail, and the old address gets a mail if it was confirmed. If the account was open before its e-mail was verified, and the link is opened by somebody who is not logged in to it, trusted devices, linked providers and sessions end; with a second factor the user must be logged in.",
  stage: {
    token: 'From the link.',
    auth_password:
      'The password of the account, with `token`. An account without one changes its e-mail in a session of its own.',
    auth_id: 'Without a token: the account, or use `auth_slug`.',
    auth_slug: 'Its e-mail address.',
  },
  results: 'The account and its profile in one row, without the password.',
  commits: 'self',
  listen: (context) => tellBusy((request, response) => verify(context, request, response)),
};
