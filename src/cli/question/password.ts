import { createUsageError } from '../failure.ts';
import type { Invocation } from '../spec.ts';
import { readFirstLine } from '../terminal.ts';

/** A password: asked for at a terminal, else standard input's first line. It is never a flag, which others could see. */
export async function readPassword({ prompt, terminal }: Invocation): Promise<string> {
  if (prompt) {
    const password = await prompt.password('Password:');
    if (password !== (await prompt.password('Repeat the password:')))
      throw createUsageError('The two passwords differ.');
    return password;
  }
  const line = terminal.input.isTTY === true ? undefined : await readFirstLine(terminal.input);
  if (line !== undefined) return line;
  throw createUsageError('The password is missing.', 'Pass it as the first line of standard input.');
}
