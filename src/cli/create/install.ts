import { spawn } from 'node:child_process';

const MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'] as const;
export type Manager = (typeof MANAGERS)[number];

/** The package manager that ran us, by `npm_config_user_agent`; npm where none did. */
export function findManager(userAgent: string | undefined): Manager {
  const name = userAgent?.split('/')[0];
  return MANAGERS.find((manager) => manager === name) ?? 'npm';
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether what it prints is shown, on standard error. */
  readonly isShown: boolean;
}

/** Runs a program: its exit code, 127 where it is not there, 130 where Ctrl-C ended it. */
export function runProgram(program: string, words: readonly string[], options: RunOptions): Promise<number> {
  const shown = options.isShown ? process.stderr : 'ignore';
  return new Promise((resolve) => {
    const child = spawn(program, [...words], {
      cwd: options.cwd,
      env: { ...options.env },
      stdio: ['ignore', shown, shown],
      // npm is a batch file there, which only a shell starts; the words are ours, none is a user's.
      shell: process.platform === 'win32',
    });
    // Ctrl-C reaches the child too; we wait for it and tidy up, instead of dying first.
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
