import type { Request } from '../core/request.ts';
import type { Response } from '../core/response.ts';

/** Decides who may open a path, after the session is loaded and before static files and all listeners. */
export interface PathGate {
  /**
   * True if it guards a path. Called for every request of a page, so it must be fast. An unguarded path does
   * not load the session for gates.
   */
  guards(path: string): boolean;
  /**
   * Judges a request to a guarded path; the caller's session is loaded.
   *
   * @returns false if the request must stop; the response then holds the answer, such as a redirect to the
   * login.
   */
  judge(path: string, request: Request, response: Response): boolean | Promise<boolean>;
}

/** The gates of one path. Gives false if one refused and set the answer. */
export type FoundGate = (request: Request, response: Response) => Promise<boolean>;

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Resolves `.` and `..` segments, doubled slashes and backslashes, as a file system does. */
function normalize(path: string): string {
  const kept: string[] = [];
  for (const segment of path.replaceAll('\\', '/').split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  return `/${kept.join('/')}`;
}

/** What a path must contain to have another spelling. */
const SPELLED = /[%\\]|\/[./]|.\/$|\.html$/i;

/**
 * All spellings of a path that open the same page or static file: as sent, decoded, and without the `.html`
 * or `/index.html` that a static file's name may have.
 */
export function listSpellings(path: string): string[] {
  if (!SPELLED.test(path)) return [path];
  const plain = normalize(decode(path));
  const bare = plain.replace(/(?:\/index)?\.html$/i, '');
  return [...new Set([path, plain, bare === '' ? '/' : bare])];
}

/** Finds the gates of a path. A path is guarded if any of its spellings is. */
export function createGateFinder(gates: readonly PathGate[]): (path: string) => FoundGate | undefined {
  if (gates.length === 0) return () => undefined;
  return (path) => {
    const spellings = listSpellings(path);
    if (!gates.some((gate) => spellings.some((spelling) => gate.guards(spelling)))) return undefined;
    const found = gates.flatMap((gate) =>
      spellings.filter((spelling) => gate.guards(spelling)).map((spelling) => ({ gate, spelling })),
    );
    return async (request, response) => {
      for (const { gate, spelling } of found) if (!(await gate.judge(spelling, request, response))) return false;
      return true;
    };
  };
}
