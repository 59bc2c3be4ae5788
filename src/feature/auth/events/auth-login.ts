import * as z from 'zod';
import { hasSecondFactor } from '../../../access/person.ts';
import { hashPassword, isPasswordOutdated, verifyPassword } from '../../../core/secret/password.ts';
import { EMAIL_CHARACTERS, normalizeEmail } from '../../../core/text/email.ts';
import { commitResults } from '../../../plan/event/commit.ts';
import { defineEvent, type Rejection, reject } from '../../../plan/event/event.ts';
import { onlyText, text } from '../../../plan/event/value.ts';
import type { Context, EventExchange } from '../../../plan/feature.ts';
import { toAccount } from '../account/account.ts';
import { accountRow } from '../account/account-stage.ts';
import { findDevice } from '../device.ts';
import {
  EMPTY,
  INACTIVE,
  invalid,
  isBusy,
  LOGIN_WRONG,
  LOGIN_WRONG_OR_UNVERIFIED,
  rejectGuess,
  tellBusy,
} from '../errors.ts';
import { guess } from '../guesses.ts';
import { isTooLong } from '../password-rule.ts';
import { passSecondStep } from '../second-factor/waiting.ts';
import { type AuthRow, findAuth, findProfile, updateAuth } from '../sql.ts';

/** Rehashes a password with current parameters; if the queue is full, a later login does it. */
async function renewHash({ services }: Context, auth: AuthRow, password: string): Promise<void> {
  const { database, random } = services;
  try {
    const hash = await hashPassword(password, random);
    await database.write(() => updateAuth(database, auth.auth_id, { auth_password: hash }));
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

const stage = () =>
  z.object({
    auth_slug: onlyText('E-mail address.'),
    auth_password: onlyText('Password.'),
    auth_code: text(
      'The code of the authenticator app, or a recovery code, if the account has a second factor. Without it such an account is refused with 401; the login page leads to the second step.',
    ),
    recovery_code: text('Instead: a recovery code. Each works once.'),
  });

type LoginStage = z.output<ReturnType<typeof stage>>;

async function logIn(
  context: Context,
  exchange: EventExchange,
  { auth_slug: address = '', auth_password: password = '', ...codes }: LoginStage,
): Promise<Rejection | undefined> {
  const { services } = context;
  const { request, response } = exchange;
  const typed = address.trim();
  const slug = typed.length > EMAIL_CHARACTERS ? typed : normalizeEmail(typed);
  const errors: Record<string, string> = {};
  if (slug === '') errors.auth_slug = EMPTY;
  if (password === '') errors.auth_password = EMPTY;
  if (Object.keys(errors).length > 0) return invalid(errors);
  // Cannot belong to an account. Not counted either: failures are stored by e-mail, and a body may contain
  // a megabyte of it.
  const asksToVerify = context.plan.model.settings.auth.verify;
  const wrong = asksToVerify ? LOGIN_WRONG_OR_UNVERIFIED : LOGIN_WRONG;
  if (typed.length > EMAIL_CHARACTERS || isTooLong(password)) return reject(wrong);

  const auth = await findAuth(services.database, 'auth_slug', typed);
  const device = findDevice(services, request, auth);
  // Counts like a wrong password: a stranger who signed up with somebody's address knows the password, and must not learn
  // by it whether the address had an account before.
  const isWaiting = asksToVerify && auth?.auth_verify === 1 && auth.auth_verified !== 1;
  // An unknown account takes as long as a known one: timing must not tell who has an account.
  const { isRight, waitSeconds } = await guess(context, { account: slug, request, device }, async () => {
    const isSame = await verifyPassword(password, auth?.auth_password, device);
    return isSame && !isWaiting;
  });
  if (waitSeconds > 0) return rejectGuess(response, waitSeconds);
  if (!isRight || !auth) return reject(wrong);
  if (auth.auth_active !== 1) return reject(INACTIVE);
  const rejection = hasSecondFactor(auth) ? await passSecondStep(context, auth, codes, exchange) : undefined;
  if (rejection !== undefined) return rejection;
  if (isPasswordOutdated(auth.auth_password)) await renewHash(context, auth, password);
  const account = toAccount(context, auth, await findProfile(services.database, auth.profile_id));
  // After the check, because hashing takes a tenth of a second and would block all writers.
  return services.database.write(() => commitResults(context, exchange, account));
}

export const authLogin = defineEvent({
  name: 'auth-login',
  description:
    'Checks an e-mail and a password, and the second factor if the account has one. Failed attempts are limited by account and network; a browser that logged in to the account before has limits of its own.',
  kind: 'self',
  stage,
  results: accountRow,
  run: (typed, context, exchange) => tellBusy(exchange.response, () => logIn(context, exchange, typed)),
});
