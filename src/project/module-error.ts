import { readFileSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Problem, TreadleError, toError } from '../core/errors.ts';

/** Carries a problem out of nested imports. */
export class ModuleError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** What `relative` would resolve or remove: `.`, `..`, an empty segment. */
const UNUSUAL = /\/\.{0,2}(?:\/|$)/;

/** Path from the project's root, with forward slashes. */
export function toProjectFile(root: string, path: string): string {
  // Each route of the project asks for its place, and `relative` takes ten times as long.
  if (path.startsWith(`${root}/`) && !UNUSUAL.test(path)) return path.slice(root.length + 1);
  return relative(root, path).split(sep).join('/');
}

const SYNTAX_HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /await is only valid|await.*top level/i,
    'A module is loaded synchronously: move the await into the exported function, which may be async.',
  ],
  [/import\.meta/, 'Use __dirname and __filename instead of import.meta.'],
];

/** The problem of a file that does not parse as TypeScript or JavaScript. */
export function createSyntaxProblem(root: string, path: string, error: unknown): Problem {
  const thrown: Error & { readonly loc?: { readonly line: number; readonly column: number } } = toError(error);
  const { message, stack = '', loc } = thrown;
  const inStack = /^.*:(\d+)\n(.*)\n( *)\^/.exec(stack);
  const line = loc?.line ?? (inStack?.[1] === undefined ? undefined : Number(inStack[1]));
  // The engine parsed code without types: its column is right only if the line is unchanged.
  const isAsWritten = line !== undefined && inStack?.[2] === readFileSync(path, 'utf8').split(/\r?\n/)[line - 1];
  const column = loc?.column ?? (isAsWritten ? (inStack?.[3]?.length ?? 0) + 1 : undefined);
  const rule = message.replace(/^Error transforming [^:]*(?::\\[^:]*)?: /, '').replace(/ \(\d+:\d+\)$/, '');
  return {
    code: 'PROJECT_MODULE_SYNTAX',
    file: toProjectFile(root, path),
    path: '',
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    message: `This could not be read: ${rule}.`,
    hint: SYNTAX_HINTS.find(([pattern]) => pattern.test(message))?.[1] ?? 'Correct it there.',
  };
}

interface Frame {
  readonly path: string;
  readonly line: number;
}

const toPath = (place: string): string => (place.startsWith('file:') ? fileURLToPath(place) : place);

/** A file of the project's own code: not of Node, of Treadle or of a package. */
function isOwn(root: string, place: string | null | undefined): boolean {
  if (!place || !(place.startsWith('file:') || isAbsolute(place))) return false;
  const own = toProjectFile(root, toPath(place));
  return !own.startsWith('..') && !own.startsWith('node_modules/') && !own.includes('/node_modules/');
}

/** The first stack frame in the project's own code. */
function findFrame(root: string, stack: string): Frame | undefined {
  for (const [, place = '', line] of stack.matchAll(
    /(?:\(|at (?:async )?)((?:file:\/\/)?\/[^()\n]*|[A-Z]:\\[^()\n]*):(\d+):\d+\)?$/gm,
  )) {
    if (isOwn(root, place)) return { path: toPath(place), line: Number(line) };
  }
  return undefined;
}

/** An emit reads, and a driver connects, some calls below the project's code. */
const STACK_FRAMES = 50;

/** `file:line` of the project's own code that is running; undefined if no such code runs. */
export function findPlace(root: string): string | undefined {
  const frame = listFrames().find((site) => isOwn(root, site.getFileName()));
  return frame && `${toProjectFile(root, toPath(frame.getFileName() ?? ''))}:${frame.getLineNumber()}`;
}

/** Calls of the running code. As text, the engine would count the lines of Treadle's whole program for the numbers of its frames. */
function listFrames(): readonly NodeJS.CallSite[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.prepareStackTrace = (_error, sites) => sites;
  Error.stackTraceLimit = STACK_FRAMES;
  try {
    const sites: unknown = new Error().stack;
    return Array.isArray(sites) ? sites : [];
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** `file:line` in the project's own code where an error was thrown; undefined if its stack names none. */
export function findErrorPlace(root: string, error: Error): string | undefined {
  const frame = findFrame(root, typeof error.stack === 'string' ? error.stack : '');
  return frame && `${toProjectFile(root, frame.path)}:${frame.line}`;
}

/** Line of an import statement (or a `require`) for a specifier. */
export function findImportLine(path: string, specifier: string): number | undefined {
  const lines = readFileSync(path, 'utf8').split('\n');
  const index = lines.findIndex((line) => line.includes(`'${specifier}'`) || line.includes(`"${specifier}"`));
  return index < 0 ? undefined : index + 1;
}

export interface ThrownContext {
  readonly root: string;
  /** File to name if the stack has no frame in the project. */
  readonly path: string;
  /** Start of the message, such as `Loading it`. */
  readonly doing: string;
  readonly code: string;
}

/**
 * The problem for an error that the project's code threw. Without a column, because removed types shift
 * columns.
 */
export function createThrownProblem(error: unknown, context: ThrownContext): Problem {
  if (error instanceof ModuleError) return error.problem;
  const isError = error instanceof Error;
  const frame = isError ? findFrame(context.root, error.stack ?? '') : undefined;
  const text = isError ? `${error.name}: ${error.message}` : String(error);
  const hint = error instanceof TreadleError && error.hint !== undefined ? error.hint : 'Correct the code there.';
  return {
    code: context.code,
    file: toProjectFile(context.root, frame?.path ?? context.path),
    path: '',
    ...(frame === undefined ? {} : { line: frame.line }),
    message: `${context.doing} threw ${text.replace(/\.$/, '')}.`,
    hint,
  };
}
