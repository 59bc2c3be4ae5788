import { readErrorCatalog } from '../core/error-catalog.ts';
import { ProblemsError, printProblem, readMessage, TreadleError } from '../core/errors.ts';
import type { Terminal } from './terminal.ts';

/** Exit codes of the process. */
export const EXIT = {
  done: 0,
  failed: 1,
  differs: 2,
  dataLoss: 3,
  definitionInvalid: 5,
  usage: 64,
  interrupted: 130,
} as const;

/** Wrong use of a command: names the argument or flag, the rule and the remedy. */
export function createUsageError(message: string, hint?: string): TreadleError {
  return new TreadleError('CLI_USAGE', message, { status: 400, ...(hint === undefined ? {} : { hint }) });
}

/** Ctrl-C, or a closed prompt. */
export const createInterruption = (): TreadleError =>
  new TreadleError('CLI_INTERRUPTED', 'Interrupted.', { status: 499 });

/** The user was asked and said no: exit code 1. */
export const createRefusal = (): TreadleError =>
  new TreadleError('CLI_DECLINED', 'Nothing was changed.', { status: 409 });

const EXIT_BY_CODE: Readonly<Record<string, number>> = {
  CLI_USAGE: EXIT.usage,
  WRITE_TARGET_INVALID: EXIT.usage,
  CLI_PROJECT_MISSING: EXIT.usage,
  CLI_INTERRUPTED: EXIT.interrupted,
  PROJECT_DEFINITIONS_INVALID: EXIT.definitionInvalid,
};

/** The exit code of an error; 3 for every error code about data loss. */
export function toExitCode(error: unknown): number {
  if (error instanceof ProblemsError) return EXIT.definitionInvalid;
  if (!(error instanceof TreadleError)) return isInterruption(error) ? EXIT.interrupted : EXIT.failed;
  return EXIT_BY_CODE[error.code] ?? (/LOSS|LOSES|DESTRUCTIVE/.test(error.code) ? EXIT.dataLoss : EXIT.failed);
}

function isInterruption(error: unknown): boolean {
  return error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortPromptError');
}

/** A failure in a form that another process can print. */
export interface Failure {
  /** Exit code. */
  readonly code: number;
  /** The data for `--json`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The text, one entry per line. */
  readonly lines: readonly string[];
}

export const toFailure = (error: unknown): Failure => ({
  code: toExitCode(error),
  data: toFailureData(error),
  lines: toFailureLines(error),
});

/** Prints a failure and returns its exit code. */
export function printFailure({ code, data, lines }: Failure, terminal: Terminal): number {
  const [first = '', ...rest] = lines;
  if (terminal.isJson) terminal.document(data);
  else for (const line of [terminal.red(first), ...rest]) terminal.say(line);
  return code;
}

/** The page of Treadle's docs that lists every code. */
export const CODES_PAGE = 'docs/reference/errors.md';

/**
 * The `--json` members that every error has: what programs tell errors by, where it is explained, and what to do about it.
 *
 * @param hint Default: the remedy of the code, or how to read what the code means.
 */
export const toErrorMembers = (code: string, hint = findHint(code)) =>
  ({ error: true, code, docs: CODES_PAGE, hint }) as const;

function findHint(code: string): string {
  const entry = readErrorCatalog().get(code);
  if (entry?.remedy !== undefined) return entry.remedy;
  return entry === undefined ? 'The code of the project gives this error.' : `See: treadle explain ${code}`;
}

/** The `--json` data of an error. */
function toFailureData(error: unknown): Record<string, unknown> {
  if (error instanceof ProblemsError) {
    const { length } = error.problems;
    const message = `${length} problem${length === 1 ? '' : 's'} in the definitions.`;
    return { ...toErrorMembers(error.code), message, problems: error.problems };
  }
  if (error instanceof TreadleError) {
    return { ...toErrorMembers(error.code, error.hint || undefined), message: error.message };
  }
  const message = readMessage(error);
  return { ...toErrorMembers(isInterruption(error) ? 'CLI_INTERRUPTED' : 'CLI_FAILED'), message };
}

/** The text of an error, one entry per line. */
function toFailureLines(error: unknown): string[] {
  if (error instanceof ProblemsError) return error.problems.map(printProblem);
  if (isInterruption(error)) return ['Interrupted.'];
  if (!(error instanceof TreadleError))
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  const cause = error.cause instanceof Error ? [`  ${error.cause.message}`] : [];
  return [error.message, ...(error.hint ? [error.hint] : []), ...cause];
}
