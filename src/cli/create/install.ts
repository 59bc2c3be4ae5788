import { spawn } from 'node:child_process';

const MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'] as const;
export type Manager = (typeof MANAGERS)[number];

/** The package manager that runs this process, from `npm_config_user_agent`; otherwise npm. */
export function findManager(userAgent: string | undefined): Manager {
  const name = userAgent?.split('/')[0];
  return MANAGERS.find((manager) => manager === name) ?? 'npm';
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True to show its output, on standard error. */
  readonly isShown: boolean;
}

/** Runs a program; returns its exit code, 127 if it does not exist, 130 after Ctrl-C. */
export function runProgram(program: string, words: readonly string[], options: RunOptions): Promise<number> {
  const shown = options.isShown ? process.stderr : 'ignore';
  return new Promise((resolve) => {
    const child = spawn(program, [...words], {
      cwd: options.cwd,
      env: { ...options.env },
      stdio: ['ignore', shown, shown],
      // On Windows npm is a batch file, which needs a shell; the words never come from a user.
      shell: process.platform === 'win32',
    });
    // Ctrl-C also reaches the child: waits for it and cleans up, instead of exiting first.
    const interruption = { isSeen: false };
    const onInterrupt = (): void => {
      interruption.isSeen = true;
    };
    process.once('SIGINT', onInterrupt);
    const end = (code: number): void => {
      process.off('SIGINT', onInterrupt);
      resolve(interruption.isSeen ? 130 : code);
    };
    child.on('error', () => end(127));
    child.on('close', (code, signal) => end(signal === 'SIGINT' ? 130 : (code ?? 1)));
  });
}
