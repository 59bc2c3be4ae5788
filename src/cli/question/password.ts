import { PASSWORD_LEAST, PASSWORD_MOST } from '../../core/secret/password.ts';
import { createUsageError } from '../failure.ts';
import type { Invocation } from '../spec.ts';
import { readFirstLine } from '../terminal.ts';

const findLengthError = (text: string): string | undefined => {
  const length = [...text].length;
  if (length < PASSWORD_LEAST) return `At least ${PASSWORD_LEAST} characters.`;
  return length > PASSWORD_MOST ? `At most ${PASSWORD_MOST} characters.` : undefined;
};

/**
 * Reads a password from a prompt, or from the first line of standard input. It is never a flag, because other users
 * could see it.
 */
export async function readPassword({ prompt, terminal }: Invocation): Promise<string> {
  if (prompt) {
    const password = await prompt.password('Password:', findLengthError);
    if (password !== (await prompt.password('Repeat the password:')))
      throw createUsageError('The two passwords differ.');
    return password;
  }
  const line = terminal.input.isTTY === true ? undefined : await readFirstLine(terminal.input);
  if (line !== undefined) return line;
  throw createUsageError('The password is missing.', 'Pass it as the first line of standard input.');
}
