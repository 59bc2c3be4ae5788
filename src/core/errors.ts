import { isObject } from './record.ts';

/**
 * An error caused by the environment or the caller, with a code that is never reused.
 * `message` may be shown to the client if `status` is below 500; `detail` and `cause` go only to the log.
 */
export class TreadleError extends Error {
  /** Name of the class. */
  override readonly name: string = 'TreadleError';
  /** Such as `DATABASE_BUSY`: the [list](errors.md). */
  readonly code: string;
  /** HTTP status of the response. */
  readonly status: number;
  /** How to fix it, if known. */
  readonly hint: string | undefined;
  /** For the log only. */
  readonly detail: unknown;
  /** Extra response headers, such as `retry-after`. */
  readonly headers: Readonly<Record<string, string>>;
  /** May occur thousands of times under load: the thrower logs a count, instead of one log line per error. */
  readonly isCounted: boolean;

  constructor(code: string, message: string, options: TreadleErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? 500;
    this.hint = options.hint;
    this.detail = options.detail;
    this.headers = options.headers ?? {};
    this.isCounted = options.isCounted ?? false;
  }

  /** Whether the message may be shown to a client. */
  get isExposed(): boolean {
    return this.status < 500;
  }
}

export interface TreadleErrorOptions {
  readonly status?: number;
  readonly hint?: string;
  readonly detail?: unknown;
  readonly cause?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isCounted?: boolean;
}

/** The code of a thrown value, such as `ENOENT`; empty if it has none. */
export const readCode = (error: unknown): string =>
  isObject(error) && typeof error.code === 'string' ? error.code : '';

/** A thrown value as an error. */
export const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** The message of a thrown value, or the value as a text if it is no error. */
export const readMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What is wrong in a definition, a template or the project's code, as `treadle check` prints it. */
export interface Problem {
  /** Never reused: `<AREA>_<NOUN>_<FAULT>`. */
  readonly code: string;
  /** Path from the project's root, with forward slashes. */
  readonly file: string;
  /** Path within the file, such as `fields[2].type`, or empty. */
  readonly path: string;
  /** Line in the file, from 1. */
  readonly line?: number;
  /** Column in the line, from 1. */
  readonly column?: number;
  /** The violated rule, naming the thing. */
  readonly message: string;
  /** The remedy. */
  readonly hint?: string;
  /** `error`, `warning` or `advice`. Default `error`. */
  readonly severity?: Severity;
  /** The change of the file that mends it, where only one is certain. */
  readonly fix?: Fix;
}

/** A change of one JSON file. After it, the other problems of the file may have other places. */
export interface Fix {
  /** Path from the project's root, with forward slashes. */
  readonly file: string;
  /** Operations of a JSON patch (RFC 6902), in order. */
  readonly patch: readonly PatchOperation[];
}

/** One operation on a JSON document; paths are JSON pointers (RFC 6901). @see RFC 6902 section 4 */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/**
 * An error keeps the old plan in place, and nothing starts with it. A warning is a mistake that the rest of the project
 * works with: `check` fails, a server logs it and serves. Advice fails nothing. Default `error`.
 */
export type Severity = 'error' | 'warning' | 'advice';

/** True if nothing starts with the problem. */
export const isError = ({ severity }: Pick<Problem, 'severity'>): boolean =>
  severity === undefined || severity === 'error';

/** Sorts by file, then position. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  return [...problems].sort(
    (a, b) => a.file.localeCompare(b.file) || (a.line ?? 0) - (b.line ?? 0) || a.path.localeCompare(b.path),
  );
}

/** One line: `file:line path  message. hint [code]`. */
export function printProblem(problem: Problem): string {
  const place = [problem.file, problem.line, problem.line === undefined ? undefined : problem.column]
    .filter((part) => part !== undefined && part !== '')
    .join(':');
  const at = problem.path === '' ? place : `${place} ${problem.path}`;
  return `${at}: ${problem.message}${problem.hint ? ` ${problem.hint}` : ''} [${problem.code}]`;
}

/** Thrown with all problems of a project that cannot be served. */
export class ProblemsError extends TreadleError {
  /** Name of the class. */
  override readonly name: string = 'ProblemsError';
  /** By file and line. */
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const sorted = sortProblems(problems);
    super('PROJECT_DEFINITIONS_INVALID', sorted.map(printProblem).join('\n'), { status: 500 });
    this.problems = sorted;
  }
}
