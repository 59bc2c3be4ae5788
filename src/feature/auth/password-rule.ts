import { hashPassword, PASSWORD_LEAST, PASSWORD_MOST } from '../../core/password.ts';
import type { Request } from '../../core/request.ts';
import { translate } from '../../core/translate.ts';
import { findHashes } from '../../model/password-hashes.ts';
import type { Context } from '../../plan/feature.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';
import { EMPTY, MISMATCH } from './errors.ts';

/**
 * Messages by field for a new password: 8 to 256 characters of any kind, not among the most common.
 * @param confirm The repeated password; undefined if the form does not ask for it.
 */
export function findPasswordFaults(password: string, confirm: string | undefined): Record<string, string> {
  const faults: Record<string, string> = {};
  const length = [...password].length;
  if (password === '') faults.auth_password = EMPTY;
  else if (length < PASSWORD_LEAST)
    faults.auth_password = translate('Should have at least {count} characters', { count: PASSWORD_LEAST });
  else if (length > PASSWORD_MOST)
    faults.auth_password = translate('Should have at most {count} characters', { count: PASSWORD_MOST });
  else if (COMMON_PASSWORDS.has(password.toLowerCase())) {
    faults.auth_password = 'Is one of the most common passwords; choose another one';
  }
  if (confirm === '') faults.confirm = EMPTY;
  else if (confirm !== undefined && confirm !== password) faults.confirm = MISMATCH;
  return faults;
}

/** Whether a text is too long for any password: it is not hashed. */
export const isTooLong = (password: string): boolean =>
  password.length > PASSWORD_MOST * 2 || [...password].length > PASSWORD_MOST;

/** The hash of a new password; a call inside a transaction has computed it before. */
export async function makeHash({ services }: Context, request: Request, password: string): Promise<string> {
  return findHashes(request)?.take(password) ?? hashPassword(password, services.random);
}
