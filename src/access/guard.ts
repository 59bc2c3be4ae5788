import { type Access, getAccess } from '../core/access.ts';
import { compilePattern, type Pattern, toExample, toFixedPath } from '../core/bus/pattern.ts';
import { memoize } from '../core/memoize.ts';
import type { Request } from '../core/request/request.ts';
import type { Response } from '../core/request/response.ts';
import type { Model } from '../model/model.ts';
import { GUEST, listPermissions, type RolePermission, USER } from '../model/role/role.ts';

/** Paths that roles never guard: they are part of a login, or check the caller themselves. */
const NEVER = /^\/(?:auth|dialog|oauth|rest|health|\.well-known)(?:\/|$)/i;
/** Assets of the login pages. */
const LOGIN_ASSET = /^\/(?:styles\/treadle\.css|scripts\/(?:passkey|developer)\.js|favicon\.svg|favicon\.ico)$/;

/** True if roles cannot guard a path, whatever they name. */
export const isNeverGuarded = (path: string): boolean => NEVER.test(path) || LOGIN_ASSET.test(path);

/** The decision about a request to a guarded path. */
export interface PathVerdict {
  /** The permission that allows it; undefined if it is refused. */
  readonly by: RolePermission | undefined;
  /** The permissions that guard the path. */
  readonly guards: readonly RolePermission[];
}

export interface PathGuard {
  guards(path: string): boolean;
  /** Judges a guarded path; undefined if the path is not guarded. */
  judge(path: string, method: string, roles: readonly string[]): PathVerdict | undefined;
}

/** Pages of definitions, which lie beside those of the schemas' data. */
const DEFINITION = /^\/admin\/system\/model\/(?:rest|scope|webhook|app|role)(?:\/|$)/i;
/** A permission that covers this page is for definitions of every kind. */
const ANY_DEFINITION = '/admin/system/schema/search';

/**
 * Whether a permission opens a path that its pattern covers. Definitions need a permission for all of them, or one that
 * names their kind: `/admin/system/model/**` is for data.
 */
function isMeant({ permission, pattern }: Entry, path: string): boolean {
  const [kind] = DEFINITION.exec(path) ?? [];
  if (kind === undefined || pattern.covers(ANY_DEFINITION)) return true;
  return `${permission.path}/`.toLowerCase().startsWith(kind.replace(/\/?$/, '/').toLowerCase());
}

const isFixed = (segment: string): boolean => !segment.startsWith(':') && !segment.includes('*');

/** Whether every path that the one pattern matches is matched by the other one too. In doubt false. */
function containsPath(outer: string, inner: string): boolean {
  if (outer === inner) return true;
  const split = (path: string): string[] => toFixedPath(path).split('/').slice(1);
  const [a, b] = [split(outer), split(inner)];
  for (const [index, segment] of a.entries()) {
    if (segment === '**') return index === a.length - 1;
    const other = b[index];
    if (other === undefined || other === '**') return false;
    const isOne = segment === '*' || segment.startsWith(':');
    if (!isOne && !(segment === other && isFixed(segment))) return false;
  }
  return a.length === b.length;
}

type PermittedCall = Pick<RolePermission, 'method' | 'path'>;

/** Whether a permission opens everything that another one opens: by path, method and kind of definition. In doubt false. */
export function opensAsMuch(granted: RolePermission, wanted: PermittedCall): boolean {
  if (granted.method !== 'all' && granted.method !== wanted.method) return false;
  if (!containsPath(granted.path, wanted.path)) return false;
  return isMeant({ permission: granted, pattern: compilePattern(granted.path) }, toExample(wanted.path));
}

interface Entry {
  readonly permission: RolePermission;
  readonly pattern: Pattern;
}

/** All roles of a person: the given ones and the implicit ones. */
export const addImpliedRoles = (roles: readonly string[], isLoggedIn: boolean): readonly string[] =>
  isLoggedIn ? [GUEST, USER, ...roles] : [GUEST, ...roles];

const takes = ({ method }: RolePermission, wanted: string): boolean =>
  method === 'all' || method === (wanted === 'HEAD' ? 'get' : wanted.toLowerCase());

/** Compiles the permissions of all roles. A path named by any of them is guarded for every method. */
export function compilePathGuard(model: Pick<Model, 'roles'>): PathGuard {
  const entries = listPermissions(model).map(
    (permission): Entry => ({ permission, pattern: compilePattern(permission.path) }),
  );
  const find = (path: string): Entry[] =>
    isNeverGuarded(path) ? [] : entries.filter(({ pattern }) => pattern.covers(path));
  return {
    guards: (path) => !isNeverGuarded(path) && entries.some(({ pattern }) => pattern.covers(path)),
    judge(path, method, roles) {
      const guards = find(path);
      if (guards.length === 0) return undefined;
      const by = guards.find(
        (entry) => takes(entry.permission, method) && roles.includes(entry.permission.role) && isMeant(entry, path),
      );
      return { by: by?.permission, guards: guards.map(({ permission }) => permission) };
    },
  };
}

const guardOf = memoize((model: Model) => compilePathGuard(model));

/** True if the roles of a person open a path by that method. Default: the caller. */
export function mayOpenPath(model: Model, path: string, method = 'GET', access: Access = getAccess()): boolean {
  const verdict = guardOf(model).judge(path, method, addImpliedRoles(access.roles, access.authId !== undefined));
  return verdict === undefined || verdict.by !== undefined;
}

/** What the roles' files guard, as texts such as `all:/staff/** (staff)`. */
export const listGuarded = (model: Pick<Model, 'roles'>): string[] =>
  listPermissions(model)
    .filter(({ file, path }) => file !== undefined && !isNeverGuarded(path.replaceAll('*', 'x')))
    .map(({ method, path, role }) => `${method}:${path} (${role})`);

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

const LOGIN = '/auth/login';
const SECOND_FACTOR = '/auth/second-factor';

function wantsJson(request: Request): boolean {
  const accept = String(request.getServer('accept') ?? '');
  return accept.includes('json') && !accept.includes('text/html');
}

/** Leads to a page that leads back to the requested one. */
function leadTo(page: string, request: Request, response: Response): void {
  const query = request.getQuery();
  const target = `${request.getPath('string')}${query === '' ? '' : `?${query}`}`;
  response.setRedirect(`${page}?redirect_uri=${encodeURIComponent(target)}`).addHeader('cache-control', 'no-store');
}

/** Leads a visitor to the login, which leads back; a program gets 401. */
function requireLogin(request: Request, response: Response, hasLogin: boolean): void {
  if (hasLogin && !wantsJson(request)) leadTo(LOGIN, request, response);
  else response.setStatus(401).setError(true, 'Log in to open this.');
}

/** Leads a user to set up the second factor that the role requires; a program gets 403. */
function requireFactor(request: Request, response: Response): void {
  if (!wantsJson(request)) leadTo(SECOND_FACTOR, request, response);
  else response.setStatus(403).setError(true, `Your role requires a second factor: set it up at ${SECOND_FACTOR}.`);
}

/** Guards the paths that roles name: before static files, and before every listener. */
export function createRoleGate(model: Model): PathGate {
  const guard = compilePathGuard(model);
  const hasLogin = model.schemas.has('profile');
  return {
    guards: (path) => guard.guards(path),
    judge(path, request, response) {
      const { roles, authId, waiting = [] } = getAccess();
      const isLoggedIn = authId !== undefined;
      const opens = (roles: readonly string[]): boolean => {
        const verdict = guard.judge(path, request.getMethod(), addImpliedRoles(roles, isLoggedIn));
        return verdict === undefined || verdict.by !== undefined;
      };
      if (opens(roles)) return true;
      if (waiting.length > 0 && opens([...roles, ...waiting])) requireFactor(request, response);
      else if (isLoggedIn) response.setStatus(403).setError(true, 'Your account may not open this.');
      else requireLogin(request, response, hasLogin);
      return false;
    },
  };
}
