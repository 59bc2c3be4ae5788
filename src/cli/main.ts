import { resolve } from 'node:path';
import { keepAlive } from '../app/keep-alive.ts';
import { readCode, TreadleError } from '../core/errors.ts';
import { toObject } from '../core/record.ts';
import type { PasswordCost } from '../core/secret/password.ts';
import { suggest } from '../core/text/suggest.ts';
import { findProjectRoot } from '../project/root.ts';
import { CATALOG, GROUPS } from './catalog.ts';
import { StrayErrors } from './change/stray.ts';
import { complete, toCommandLine } from './complete.ts';
import { createUsageError, EXIT, printFailure, toFailure } from './failure.ts';
import { findEntry, type ParsedCommand, parseCommandLine } from './program.ts';
import { createPrompt, type Prompt } from './prompt.ts';
import type { Invocation, OtherRun, Outcome } from './spec.ts';
import { createTerminal, type InputStream, type OutputStream, type Terminal } from './terminal.ts';

interface SignalOptions {
  /** Requests shutdown, as SIGTERM does. */
  readonly signal: AbortSignal | undefined;
  readonly exit: (code: number) => void;
  /** True if npm started the process: npm sends SIGTERM only to its shell, which exits without notice. */
  readonly isByNpm: boolean;
}

/** Sent by Ctrl-C; `kill` and supervisors; a closed terminal. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Interval of the check that npm, the parent process, still runs. */
const ORPHAN_MS = 500;
/** npm repeats the Ctrl-C of the terminal; a user takes longer to press it twice. */
const REPEAT_MS = 100;

/**
 * Handles the signals that stop a server: the first requests an orderly shutdown, the second ends the process at
 * once.
 */
class Signals {
  readonly stopRequest: Promise<void>;
  readonly #options: SignalOptions;
  #ask: () => void = () => {};
  #stopRequestedAt: number | undefined;
  #watch: NodeJS.Timeout | undefined;

  constructor(options: SignalOptions) {
    this.#options = options;
    this.stopRequest = new Promise((resolve) => {
      this.#ask = resolve;
    });
    for (const name of SIGNALS) process.on(name, this.#onSignal);
    const parent = process.ppid;
    if (options.isByNpm) this.#watch = setInterval(() => process.ppid !== parent && this.#begin(), ORPHAN_MS).unref();
    if (options.signal?.aborted) this.#begin();
    else options.signal?.addEventListener('abort', this.#begin);
  }

  readonly #begin = (): void => {
    clearInterval(this.#watch);
    this.#stopRequestedAt ??= performance.now();
    this.#ask();
  };

  readonly #onSignal = (): void => {
    if (this.#stopRequestedAt === undefined) this.#begin();
    else if (performance.now() - this.#stopRequestedAt > REPEAT_MS) this.#options.exit(EXIT.interrupted);
  };

  /** Removes the handlers. */
  release(): void {
    for (const name of SIGNALS) process.off(name, this.#onSignal);
    clearInterval(this.#watch);
    this.#options.signal?.removeEventListener('abort', this.#begin);
  }
}

/** Replacements for the process's streams and functions, for tests. */
export interface MainOptions {
  readonly stdout?: OutputStream;
  readonly stderr?: OutputStream;
  readonly stdin?: InputStream;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Used instead of inquirer. */
  readonly prompt?: Prompt;
  /** Of the hashes that a command makes. Production ignores it. */
  readonly passwordCost?: PasswordCost;
  /** Stops `dev` and `start`, as SIGTERM does. */
  readonly signal?: AbortSignal;
  /** Ends the process at once. Default: `process.exit`. */
  readonly exit?: (code: number) => void;
  /** True if the command is the whole process: errors that nothing awaits are printed in one line. Default false. */
  readonly ownsProcess?: boolean;
}

interface Surroundings extends Required<Omit<MainOptions, 'prompt' | 'passwordCost' | 'signal'>> {
  readonly prompt: Prompt | undefined;
  readonly passwordCost: PasswordCost | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Runs one command line (without node and the script) and returns the exit code; never ends the process. */
export async function main(argv: readonly string[], options: MainOptions = {}): Promise<number> {
  const io: Surroundings = {
    stdout: options.stdout ?? process.stdout,
    stderr: options.stderr ?? process.stderr,
    get stdin() {
      return options.stdin ?? process.stdin;
    },
    env: options.env ?? process.env,
    cwd: options.cwd ?? process.cwd(),
    prompt: options.prompt,
    passwordCost: options.passwordCost,
    signal: options.signal,
    exit: options.exit ?? ((code) => process.exit(code)),
    ownsProcess: options.ownsProcess ?? false,
  };
  const end = argv.indexOf('--');
  const isJson = (end < 0 ? argv : argv.slice(0, end)).includes('--json');
  const { stdout, stderr, env } = io;
  // Standard input is opened only for a question.
  const terminal = createTerminal({ stdout, stderr, env, isJson, stdin: () => io.stdin });
  try {
    const parsed = await parseCommandLine(argv, { out: io.stdout, err: io.stderr });
    return parsed === undefined ? EXIT.usage : await runCommand(parsed, io, terminal);
  } catch (error) {
    return fail(error, argv, terminal);
  }
}

async function runCommand(
  { entry, spec, values, global }: ParsedCommand,
  io: Surroundings,
  terminal: Terminal,
): Promise<number> {
  const cwd = resolve(io.cwd, global.cwd ?? '.');
  const isAsking = terminal.isTerminal && global.interactive !== false && !io.env.CI;
  const prompt = isAsking ? (io.prompt ?? createOwnPrompt(io)) : undefined;
  const stopping: { signals?: Signals } = {};
  const invocation: Invocation = {
    command: entry.words.join(' '),
    values,
    terminal,
    cwd,
    env: io.env,
    isDryRun: global.dryRun === true,
    isForced: global.yes === true,
    root: () => findRoot(cwd),
    compile: async (root) => (await import('../boot.ts')).compileProject(root, io.env),
    untilStopped() {
      stopping.signals ??= new Signals({
        exit: io.exit,
        signal: io.signal,
        isByNpm: io.env.npm_lifecycle_event !== undefined,
      });
      return stopping.signals.stopRequest;
    },
    exit: io.exit,
    runOther: (words) => runOther(words, io, cwd),
    prompt,
    passwordCost: io.passwordCost,
  };
  const wasPrompted = await complete(spec, invocation);
  if (wasPrompted)
    terminal.say(terminal.dim(`The same without questions: ${toCommandLine(entry.words, spec, values)}`));
  const stray = io.ownsProcess ? new StrayErrors(invocation) : undefined;
  try {
    const code = report(await keepAlive(spec.run(invocation)), invocation);
    return stray?.isFound && code === EXIT.done ? EXIT.failed : code;
  } finally {
    stray?.release();
    stopping.signals?.release();
  }
}

/** Runs a command line in this process, with streams of its own. What follows `--` are its arguments. */
async function runOther(words: readonly string[], io: Surroundings, cwd: string): Promise<OtherRun> {
  const said = { out: '', err: '' };
  const keep = (name: keyof typeof said) => (text: string) => {
    said[name] += text;
  };
  const code = await main(['--json', '--no-interactive', '--cwd', cwd, ...words], {
    stdout: { write: keep('out') },
    stderr: { write: keep('err') },
    stdin: (async function* () {})(),
    env: io.env,
    cwd,
    exit: io.exit,
    ...(io.passwordCost === undefined ? {} : { passwordCost: io.passwordCost }),
  });
  return { code, ...said };
}

function createOwnPrompt({ stdin, stderr }: Surroundings): Prompt {
  return createPrompt(stdin as unknown as NodeJS.ReadableStream, stderr as unknown as NodeJS.WritableStream);
}

function report(outcome: Outcome, { terminal }: Invocation): number {
  if (terminal.isJson && outcome.data !== undefined) terminal.document(outcome.data);
  for (const line of outcome.lines ?? []) terminal.print(line);
  const next = outcome.next ?? [];
  if (next.length > 0 && !terminal.isJson && (outcome.exitCode ?? 0) === 0) {
    terminal.say(
      terminal.dim(next.length === 1 ? `Next: ${next[0]}` : `Next:\n${next.map((line) => `  ${line}`).join('\n')}`),
    );
  }
  return outcome.exitCode ?? EXIT.done;
}

function fail(error: unknown, argv: readonly string[], terminal: Terminal): number {
  const known = toKnownFailure(error, argv);
  if (known === undefined || isReaderGone(known)) return EXIT.done;
  return printFailure(toFailure(known), terminal);
}

/** What people type first is the type as a word of its own. */
const FIELD_SPELLING = 'Write the name, the type and the flags as one word, such as title:text:required.';

/** A reader that ends after the first lines, such as `head`, is not an error. */
const isReaderGone = (error: unknown): boolean => error instanceof TreadleError && error.code === 'CLI_OUTPUT_CLOSED';

/**
 * Converts a commander error to a usage error; undefined after `--help` and `--version`. Other errors stay unchanged.
 */
function toKnownFailure(error: unknown, argv: readonly string[]): unknown {
  const code = readCode(error);
  const { message } = toObject(error);
  if (!code.startsWith('commander.')) return error;
  if (code === 'commander.helpDisplayed' || code === 'commander.version') return undefined;
  const group = argv.find((word) => word in GROUPS);
  const words = findEntry(argv)?.words.join(' ') ?? group;
  const hint = `See: treadle ${words === undefined ? '' : `${words} `}--help`;
  if (code === 'commander.help') return createUsageError('A command is missing.', hint);
  const [first = '', ...rest] = String(message)
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .split('\n');
  // If a command has verbs and also runs alone, an extra word was probably meant as a verb.
  const near = code === 'commander.excessArguments' ? suggestVerb(argv) : undefined;
  if (near !== undefined) rest.push(near);
  else if (code === 'commander.excessArguments' && words === 'field add') rest.push(FIELD_SPELLING);
  return createUsageError(`${first.charAt(0).toUpperCase()}${first.slice(1)}.`, [...rest, hint].join(' '));
}

function suggestVerb(argv: readonly string[]): string | undefined {
  const [noun, own] = findEntry(argv)?.words ?? [];
  if (own !== undefined) return undefined;
  const verbs = CATALOG.flatMap(({ words }) => (words[0] === noun && words[1] !== undefined ? [words[1]] : []));
  const extra = argv.filter((word) => word !== noun && !word.startsWith('-'));
  const found = extra.map((word) => suggest(word, verbs)).find((verb) => verb !== undefined);
  return found === undefined ? undefined : `Did you mean "${found}"?`;
}

/** The project that contains a folder. @throws CLI_PROJECT_MISSING */
function findRoot(cwd: string): string {
  const root = findProjectRoot(cwd);
  if (root !== undefined) return root;
  throw new TreadleError('CLI_PROJECT_MISSING', `There is no project in ${cwd}: config/settings.json is missing.`, {
    status: 400,
    hint: 'Change to a project folder, name one with --cwd, or create one: treadle create my-app',
  });
}
