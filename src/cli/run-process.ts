import process from 'node:process';
import { main } from './main.ts';

/** Milliseconds after which a blocked reader of standard error no longer keeps the process alive. */
const LINGER_MS = 1000;

/** Resolves when a stream has handed over what was written, or its reader has ended. */
const flush = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write('', () => resolve());
  });

/**
 * Runs one command line as the whole process, and ends the process when the command is done: a timer, a pool or an open
 * socket in the project's code must not keep it alive.
 */
export async function runProcess(argv: readonly string[]): Promise<void> {
  const code = await main(argv, { ownsProcess: true });
  process.exitCode = code;
  await flush(process.stdout);
  await Promise.race([flush(process.stderr), new Promise((resolve) => setTimeout(resolve, LINGER_MS))]);
  process.exit(code);
}
