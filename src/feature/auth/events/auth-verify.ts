import * as z from 'zod';
import { hasSecondFactor } from '../../../access/person.ts';
import { toStamp } from '../../../core/clock.ts';
import type { Request } from '../../../core/request/request.ts';
import { findMe } from '../../../page/exchange.ts';
import { commitResults } from '../../../plan/event/commit.ts';
import { defineEvent, type Rejection, reject } from '../../../plan/event/event.ts';
import { nullableLookupId, onlyText } from '../../../plan/event/value.ts';
import type { Context, EventExchange } from '../../../plan/feature.ts';
import { toAccount } from '../account/account.ts';
import { accountKeys, accountRow } from '../account/account-stage.ts';
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
  rejectGuess,
  tellBusy,
  WRONG_PASSWORD_HERE,
} from '../errors.ts';
import { getAccountGrant } from '../find-requested.ts';
import { guess } from '../guesses.ts';
import { sendMail } from '../mail/mail.ts';
import { findToken, type MailToken, removeTokens, takeToken } from '../mail/mail-token.ts';
import { isTooLong } from '../password-rule.ts';
import { type AuthRow, findAuth, findProfile, hasPassword, updateAuth } from '../sql.ts';

const verifyStage = () =>
  z.object({
    token: onlyText('From the link.'),
    auth_password: onlyText(
      'The password of the account, with `token`. An account without one changes its e-mail in a session of its own.',
    ),
    ...accountKeys(),
    auth_id: nullableLookupId('Without a token: the account, or use `auth_slug`.'),
  });

type VerifyStage = z.output<ReturnType<typeof verifyStage>>;

/**
 * Checks the password of the account that a link belongs to. An account without one changes its e-mail in a browser that is
 * logged in to it: whoever asked for the link has proven who they are.
 */
async function checkOwner(
  context: Context,
  { request, response }: EventExchange,
  { auth, token, password }: { readonly auth: AuthRow; readonly token: MailToken; readonly password: string },
): Promise<Rejection | undefined> {
  const isIn = findMe(request) === auth.auth_id;
  if (token.purpose === 'email' && !hasPassword(auth)) return isIn ? undefined : reject(LOG_IN_FIRST);
  const isWaiting = context.plan.model.settings.auth.verify && auth.auth_verify === 1;
  // Whoever signed up with somebody's address may hold the factor. An account that waits cannot log in to show it.
  if (token.purpose === 'verify' && hasSecondFactor(auth) && !isWaiting && !isIn) return reject(FACTOR_FIRST);
  if (password === '') return invalid({ auth_password: EMPTY });
  if (isTooLong(password)) return invalid({ auth_password: WRONG_PASSWORD_HERE });
  const guesser = { account: auth.auth_slug, request, device: findDevice(context.services, request, auth) };
  const { isRight, waitSeconds } = await guess(context, guesser, () =>
    context.services.passwords.verify(password, auth.auth_password, guesser.device),
  );
  if (waitSeconds > 0) return rejectGuess(response, waitSeconds);
  return isRight ? undefined : invalid({ auth_password: WRONG_PASSWORD_HERE });
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
async function verifyByLink(
  context: Context,
  exchange: EventExchange,
  { token: text, auth_password: password = '' }: VerifyStage,
): Promise<Rejection | undefined> {
  const { services } = context;
  const { database, clock } = services;
  const { request, response } = exchange;
  const token = await findToken(services, text, 'verify', 'email');
  const auth = token && (await findAuth(database, 'auth_id', token.auth_id));
  if (token === undefined || auth?.auth_active !== 1) return reject(LINK_GONE);
  const refused = await checkOwner(context, exchange, { auth, token, password });
  if (refused !== undefined) return refused;
  const stamp = toStamp(clock.now());
  const isStrange = mayBeStrange(context, request, auth);
  const rejection = await database.transaction(async () => {
    if (!(await takeToken(database, token))) return reject(LINK_GONE);
    const { data: slug } = token;
    if (slug !== undefined && (await findAuth(database, 'auth_slug', slug))) {
      return reject({ status: 409, code: 'VALUE_TAKEN', message: EMAIL_TAKEN });
    }
    const dropped = isStrange ? await dropUnproven(services, auth.auth_id) : {};
    const changes = { ...dropped, ...(slug === undefined ? {} : { auth_slug: slug }) };
    const row = await updateAuth(database, auth.auth_id, { ...changes, auth_verified: 1, auth_updated: stamp });
    const profile = await findProfile(database, auth.profile_id);
    await commitResults(context, exchange, toAccount(context, row ?? auth, profile));
    if (slug === undefined) return undefined;
    await removeTokens(database, auth.auth_id);
    // Nobody has proven the old address: it may be a stranger's, which somebody typed at the sign-up.
    if (auth.auth_verified !== 1) return undefined;
    const data = () => ({ email: slug, name: profile?.profile_name });
    await sendMail(context, response, auth, { to: auth.auth_slug, template: 'auth-email-changed', data });
    return undefined;
  });
  if (rejection !== undefined) return rejection;
  if ((isStrange || token.purpose === 'email') && !response.isError())
    await services.sessions.endAll(auth.auth_id, request);
}

async function verify(context: Context, exchange: EventExchange, stage: VerifyStage): Promise<Rejection | undefined> {
  if (stage.token !== undefined) return verifyByLink(context, exchange, stage);
  if (exchange.request.callFacts !== undefined || getAccountGrant('update').rows !== undefined) {
    return reject({ status: 403, code: 'EVENT_NOT_BY_CALL', message: 'A call cannot verify an account.' });
  }
  const { auth_id, auth_slug } = stage;
  return changeAccount(context, exchange, { auth_id, auth_slug, changes: { auth_verified: 1 } });
}

export const authVerify = defineEvent({
  name: 'auth-verify',
  description:
    "Marks an account's e-mail as verified: by the mailed link and the password, or by `auth_id` on the command line and for administrators. A link of `auth-email` also changes the e-mail, and the old address gets a mail if it was confirmed. If the account was open before its e-mail was verified, and the link is opened by somebody who is not logged in to it, trusted devices, linked providers and sessions end; with a second factor the user must be logged in.",
  kind: 'self',
  stage: verifyStage,
  results: accountRow,
  run: (stage, context, exchange) => tellBusy(exchange.response, () => verify(context, exchange, stage)),
});
