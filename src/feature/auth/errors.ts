import { TreadleError } from '../../core/errors.ts';
import type { Refusal, Response } from '../../core/request/response.ts';
import { EMAIL_CHARACTERS, isEmailAddress } from '../../core/text/email.ts';
import { translate } from '../../core/text/translate.ts';
import { type Rejection, reject, rejectValues } from '../../plan/event/event.ts';

export const EMPTY = 'Cannot be empty';
export const EMAIL_TAKEN = 'Email Already Exists';
export const MISMATCH = 'Passwords do not match';
export const WRONG_PASSWORD = 'That is not your current password';
/** For an account without a password. */
export const SIGN_IN_AGAIN = 'This account has no password. Sign in again first, by your provider';
export const WRONG_PASSWORD_HERE = 'That is not the password of this account';
export const NAME_REFUSED = 'The name cannot be saved';
const EMAIL_INVALID = 'Should be a valid e-mail address';
const EMAIL_WIDE = 'Should have only ASCII characters before the @, such as mueller instead of müller';

/** Why no account can have an e-mail address; undefined if one can. */
export function findEmailError(address: string): string | undefined {
  if (isEmailAddress(address)) return undefined;
  if (address.length > EMAIL_CHARACTERS) return EMAIL_INVALID;
  return isEmailAddress(address.replace(/[^\p{ASCII}\p{C}\s](?=.*@)/gu, 'x')) ? EMAIL_WIDE : EMAIL_INVALID;
}

/** Refuses values, with a message by field. */
export const invalid = rejectValues;

/** Refuses an attempt that must wait, with `Retry-After`. */
export function rejectGuess(response: Response, waitSeconds: number): Rejection {
  response.addHeader('retry-after', String(waitSeconds));
  const message = translate('Too many attempts. Try again in {count, plural, one {# second} other {# seconds}}.', {
    count: waitSeconds,
  });
  return reject({ status: 429, code: 'ATTEMPTS_TOO_MANY', message });
}

/** Whether too many hashes are waiting. */
export const isBusy = (error: unknown): error is TreadleError =>
  error instanceof TreadleError && error.code === 'PASSWORD_BUSY';

/**
 * Runs work that hashes: if the hash queue is full, refuses with 503 and `Retry-After`, so that the form shows again and no
 * error is logged.
 */
export async function tellBusy<T>(response: Response, work: () => Promise<T>): Promise<T | Rejection> {
  try {
    return await work();
  } catch (error) {
    if (!isBusy(error)) throw error;
    response.addHeader('retry-after', error.headers['retry-after'] ?? '10');
    return reject({ status: error.status, code: error.code, message: error.message });
  }
}

export const LAST_ADMIN: Refusal = {
  status: 409,
  code: 'ADMIN_LAST',
  message: 'This is the last administrator who can log in. Give another account the role admin first.',
};
export const NOBODY: Refusal = { status: 404, code: 'ACCOUNT_MISSING', message: 'There is no such account.' };
/** The same text for an unknown e-mail and a wrong password, so that nobody learns which accounts exist. */
export const LOGIN_WRONG: Refusal = { status: 401, code: 'LOGIN_WRONG', message: 'E-mail or password is incorrect.' };
/** With `auth.verify` the same text for an account that is not confirmed yet. */
export const LOGIN_WRONG_OR_UNVERIFIED: Refusal = {
  status: 401,
  code: 'LOGIN_WRONG',
  message: 'E-mail or password is incorrect, or the e-mail is not confirmed yet.',
};
export const LINK_GONE: Refusal = {
  status: 410,
  code: 'LINK_USED',
  message: 'This link does not work: it was used before, or it is too old. Ask for a new one.',
};
/** For the link to another e-mail of an account without a password. */
export const LOG_IN_FIRST: Refusal = {
  status: 403,
  code: 'LOGIN_NEEDED',
  message: 'This account has no password. Log in first, and then open the link of the mail again.',
};
/** For the link that confirms the e-mail of an account with a second factor. */
export const FACTOR_FIRST: Refusal = {
  status: 403,
  code: 'LOGIN_NEEDED',
  message:
    'This account has a second factor. Log in with it first, and then open the link of the mail again. If it is not yours, choose a new password by mail: that removes it.',
};
export const NO_MAIL: Refusal = {
  status: 503,
  code: 'MAIL_UNAVAILABLE',
  message: 'This site cannot send mail at the moment. Ask the people who run it.',
};
export const INACTIVE: Refusal = { status: 403, code: 'ACCOUNT_INACTIVE', message: 'Your account is not activated.' };
export const LAST_WAY_IN = 'This is the only way into the account. Set a password or link a provider first.';
export const UNCONFIRMED: Refusal = {
  status: 403,
  code: 'ACCOUNT_UNCONFIRMED',
  message: 'Confirm your e-mail first: open the link in the mail that we sent you.',
};
export const SIGNUP_CLOSED: Refusal = {
  status: 403,
  code: 'SIGNUP_CLOSED',
  message: 'This site does not take sign-ups. Ask the people who run it for an account.',
};
