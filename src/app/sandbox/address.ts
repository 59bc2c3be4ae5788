import { isSandboxName } from '../../plan/sandbox.ts';

/** Where all sandboxes are, below the site's base path. */
export const SANDBOX_PATH = '/sandbox/';

/** What a sandbox answers: the API, how a user consents to an app, and the docs. Never the admin section, which writes the project's files. */
const SERVED =
  /^\/(?:rest|oauth|dialog|auth|upload|styles|scripts|\.well-known|developer\/docs)(?:\/|$)|^\/(?:favicon\.(?:ico|svg)|llms\.txt)$/;
/** Metadata of an issuer with a path, at the root of the host. @see RFC 8414 section 3.1 */
const METADATA = /^(\/\.well-known\/[a-z-]+)(?:\/.*)?\/sandbox\/([^/?]+)\/?$/;
/** A dot segment, or a separator that the site decodes, could leave what is served. */
const LEAVING = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)|%2f|%5c|\\|\/\//i;

/** A request for a sandbox. */
export interface SandboxTarget {
  readonly name: string;
  /** Path and query within the sandbox; undefined if a sandbox does not answer at this path. */
  readonly url: string | undefined;
}

/**
 * Reads the sandbox that a request is for from its path, without the site's base path; undefined if it is for the site itself.
 */
export function findSandboxTarget(target: string): SandboxTarget | undefined {
  if (!target.includes(SANDBOX_PATH)) return undefined;
  const mark = target.indexOf('?');
  const [path, query] = mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark)];
  const metadata = METADATA.exec(path);
  if (metadata?.[1] !== undefined && metadata[2] !== undefined) return toTarget(metadata[2], metadata[1], query);
  if (!path.startsWith(SANDBOX_PATH)) return undefined;
  const rest = path.slice(SANDBOX_PATH.length);
  const slash = rest.indexOf('/');
  return slash < 0 ? toTarget(rest, '/', query) : toTarget(rest.slice(0, slash), rest.slice(slash), query);
}

function toTarget(name: string, path: string, query: string): SandboxTarget {
  const isServed = isSandboxName(name) && SERVED.test(path) && !LEAVING.test(path);
  return { name, url: isServed ? path + query : undefined };
}
