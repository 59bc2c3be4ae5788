import { type Access, getAccess } from '../core/access.ts';
import { memoize } from '../core/memoize.ts';
import { compilePattern, type Pattern, toFixedPath } from '../core/pattern.ts';
import type { Model } from '../model/model.ts';
import { GUEST, listPermissions, type RolePermission, USER } from '../model/role.ts';

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
  const [a, b] = [outer, inner].map((path) => toFixedPath(path).split('/').slice(1)) as [string[], string[]];
  for (const [index, segment] of a.entries()) {
    if (segment === '**') return index === a.length - 1;
    const other = b[index];
    if (other === undefined || other === '**') return false;
    const isOne = segment === '*' || segment.startsWith(':');
    if (!isOne && !(segment === other && isFixed(segment))) return false;
  }
  return a.length === b.length;
}

/** A path that a pattern matches. */
const toExample = (path: string): string => path.replace(/:[A-Za-z_]\w*|\*+/g, 'x');

type Opening = Pick<RolePermission, 'method' | 'path'>;

/** Whether a permission opens everything that another one opens: by path, method and kind of definition. In doubt false. */
export function opensAsMuch(held: RolePermission, wanted: Opening): boolean {
  if (held.method !== 'all' && held.method !== wanted.method) return false;
  if (!containsPath(held.path, wanted.path)) return false;
  return isMeant({ permission: held, pattern: compilePattern(held.path) }, toExample(wanted.path));
}

interface Entry {
  readonly permission: RolePermission;
  readonly pattern: Pattern;
}

/** All roles of a person: the given ones and the implicit ones. */
export const toHeld = (roles: readonly string[], isLoggedIn: boolean): readonly string[] =>
  isLoggedIn ? [GUEST, USER, ...roles] : [GUEST, ...roles];

const takes = ({ method }: RolePermission, asked: string): boolean =>
  method === 'all' || method === (asked === 'HEAD' ? 'get' : asked.toLowerCase());

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

/** True if the roles of a person open a path by that method. Default: the person who asks. */
export function mayOpenPath(model: Model, path: string, method = 'GET', access: Access = getAccess()): boolean {
  const verdict = guardOf(model).judge(path, method, toHeld(access.roles, access.authId !== undefined));
  return verdict === undefined || verdict.by !== undefined;
}

/** What the roles' files guard, as texts such as `all:/staff/** (staff)`. */
export const listGuarded = (model: Pick<Model, 'roles'>): string[] =>
  listPermissions(model)
    .filter(({ file, path }) => file !== undefined && !isNeverGuarded(path.replaceAll('*', 'x')))
    .map(({ method, path, role }) => `${method}:${path} (${role})`);
