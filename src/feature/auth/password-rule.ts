import { COMMON_PASSWORDS } from './common-passwords.ts';
import { EMPTY, MISMATCH } from './errors.ts';

export const PASSWORD_LEAST = 8;
export const PASSWORD_MOST = 256;

/**
 * Messages by field for a new password: 8 to 256 characters, of any kind, none of the commonest.
 *
 * @param confirm The password typed again; undefined where nobody was asked to.
 */
export function findPasswordFaults(password: string, confirm: string | undefined): Record<string, string> {
  const faults: Record<string, string> = {};
  const length = [...password].length;
  if (password === '') faults.auth_password = EMPTY;
  else if (length < PASSWORD_LEAST) faults.auth_password = `Should have at least ${PASSWORD_LEAST} characters`;
  else if (length > PASSWORD_MOST) faults.auth_password = `Should have at most ${PASSWORD_MOST} characters`;
  else if (COMMON_PASSWORDS.has(password.toLowerCase())) {
    faults.auth_password = 'Is one of the commonest passwords; choose another';
  }
  if (confirm === '') faults.confirm = EMPTY;
  else if (confirm !== undefined && confirm !== password) faults.confirm = MISMATCH;
  return faults;
}
