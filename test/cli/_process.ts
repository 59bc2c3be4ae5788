import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * File of the built program: `test/run.mjs` builds it once for all suites that start it (`STARTS_PROGRAM` in
 * test/bundle.mjs).
 */
export function getProgram(): string {
  const file = process.env.TREADLE_TEST_PROGRAM;
  if (file === undefined)
    throw new Error('No program was built: name this suite in STARTS_PROGRAM of test/bundle.mjs.');
  return file;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A line of the JSON log. */
export type Line = Readonly<Record<string, unknown>>;

const PATIENCE_MS = 60_000;

/** A process of the real program. It ends with the test process at the latest. */
export class Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  out = '';
  err = '';
  readonly #onExit = (): void => void this.child.kill('SIGKILL');

  constructor(file: string, argv: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
    this.child = spawn(process.execPath, [file, ...argv], {
      cwd: options.cwd,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk) => {
      this.out += chunk;
    });
    this.child.stderr?.on('data', (chunk) => {
      this.err += chunk;
    });
    process.once('exit', this.#onExit);
    this.ended = once(this.child, 'close').then(([code, signal]) => {
      process.off('exit', this.#onExit);
      return { code, signal };
    });
  }

  /** Resolves with the first defined result of `find`, which is called when the process writes, and every 20 ms. */
  async until<T>(what: string, find: () => T | undefined): Promise<T> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (performance.now() > deadline) throw new Error(`${what}: not within a minute.\n${this.out}\n${this.err}`);
      if (this.child.exitCode !== null || this.child.signalCode !== null)
        throw new Error(`${what}: the process has ended.\n${this.out}\n${this.err}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Its URL, once it serves. */
  url(): Promise<string> {
    return this.until('an address', () => /^http:\/\/\S+$/m.exec(this.out)?.[0]);
  }

  /** Lines of its JSON log, optionally of one event. */
  lines(event?: string): Line[] {
    const lines = this.err.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
    const parsed = lines.map((line) => JSON.parse(line) as Line);
    return event === undefined ? parsed : parsed.filter((line) => line.event === event);
  }

  /** The first log line of an event that satisfies `is`. */
  line(event: string, is: (line: Line) => boolean = () => true): Promise<Line> {
    return this.until(event, () => this.lines(event).find(is));
  }

  kill(signal: NodeJS.Signals): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }
}
