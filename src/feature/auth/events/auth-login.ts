import { hasSecondFactor } from '../../../access/person.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import { EMAIL_CHARACTERS, normalizeEmail } from '../../../core/text/email.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { readText, toAccount } from '../account/account.ts';
import { findDevice } from '../device.ts';
import {
  EMPTY,
  INACTIVE,
  invalid,
  isBusy,
  LOGIN_WRONG,
  LOGIN_WRONG_OR_UNVERIFIED,
  refuseGuess,
  tellBusy,
} from '../errors.ts';
import { guess } from '../guesses.ts';
import { isTooLong } from '../password-rule.ts';
import { passSecondStep } from '../second-factor/waiting.ts';
import { type AuthRow, findAuth, findProfile, updateAuth } from '../sql.ts';

/** Rehashes a password with current parameters; if the queue is full, a later login does it. */
async function renewHash({ services }: Context, auth: AuthRow, password: string): Promise<void> {
  const { database, passwords } = services;
  try {
    const hash = await passwords.hash(password);
    await database.write(() => updateAuth(database, auth.auth_id, { auth_password: hash }));
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

async function logIn(context: Context, request: Request, response: Response): Promise<void> {
  const { services } = context;
  const typed = readText(request.getStage('auth_slug')).trim();
  const slug = typed.length > EMAIL_CHARACTERS ? typed : normalizeEmail(typed);
  const password = readText(request.getStage('auth_password'));
  const errors: Record<string, string> = {};
  if (slug === '') errors.auth_slug = EMPTY;
  if (password === '') errors.auth_password = EMPTY;
  if (Object.keys(errors).length > 0) return response.refuse(invalid(errors));
  // Cannot belong to an account. Not counted either: failures are stored by e-mail, and a body may contain
  // a megabyte of it.
  const asksToVerify = context.plan.model.settings.auth.verify;
  const wrong = asksToVerify ? LOGIN_WRONG_OR_UNVERIFIED : LOGIN_WRONG;
  if (typed.length > EMAIL_CHARACTERS || isTooLong(password)) return response.refuse(wrong);

  const auth = await findAuth(services.database, 'auth_slug', typed);
  const device = findDevice(services, request, auth);
  // Counts like a wrong password: a stranger who signed up with somebody's address knows the password, and must not learn
  // by it whether the address had an account before.
  const isWaiting = asksToVerify && auth?.auth_verify === 1 && auth.auth_verified !== 1;
  // An unknown account takes as long as a known one: timing must not tell who has an account.
  const { isRight, waitSeconds } = await guess(context, { account: slug, request, device }, async () => {
    const isSame = await services.passwords.verify(password, auth?.auth_password, device);
    return isSame && !isWaiting;
  });
  if (waitSeconds > 0) return refuseGuess(response, waitSeconds);
  if (!isRight || !auth) return response.refuse(wrong);
  if (auth.auth_active !== 1) return response.refuse(INACTIVE);
  if (hasSecondFactor(auth) && !(await passSecondStep(context, auth, { request, response }))) return;
  if (services.passwords.isOutdated(auth.auth_password)) await renewHash(context, auth, password);
  const account = toAccount(context, auth, await findProfile(services.database, auth.profile_id));
  // After the check, because hashing takes a tenth of a second and would block all writers.
  await services.database.write(async () => {
    response.succeed(account);
    await context.committing('auth-login', request, response);
  });
}

export const authLogin: EventContribution = {
  event: 'auth-login',
  description:
    'Checks an e-mail and a password, and the second factor if the account has one. Failed attempts are limited by account and network; a browser that logged in to the account before has limits of its own.',
  stage: {
    auth_slug: 'E-mail address.',
    auth_password: 'Password.',
    auth_code:
      'The code of the authenticator app, or a recovery code, if the account has a second factor. Without it such an account is refused with 401; the login page leads to the second step.',
  },
  results: 'The account and its profile in one row, without the password.',
  commits: 'self',
  listen: (context) => tellBusy((request, response) => logIn(context, request, response)),
};
