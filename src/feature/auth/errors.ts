import { toInvalidMessage } from '../../model/validate.ts';
import type { Refusal } from './account.ts';

export const EMPTY = 'Cannot be empty';
export const EMAIL_TAKEN = 'Email Already Exists';
export const MISMATCH = 'Passwords do not match';
export const WRONG_PASSWORD = 'That is not your current password';
export const NAME_REFUSED = 'The name cannot be saved';
/** Characters of an e-mail address. @see RFC 5321 section 4.5.3.1.3 */
export const EMAIL_MOST = 254;
export const EMAIL_INVALID = 'Should be a valid e-mail address';

export const invalid = (fields: Readonly<Record<string, string>>): Refusal => ({
  status: 422,
  message: toInvalidMessage(fields),
  fields,
});

export const NOBODY: Refusal = { status: 404, message: 'There is no such account.' };
/** One text for an unknown e-mail and a wrong password, so that nobody learns who has an account. */
export const LOGIN_WRONG: Refusal = { status: 401, message: 'E-mail or password is incorrect.' };
export const INACTIVE: Refusal = { status: 403, message: 'Your account is not activated.' };
