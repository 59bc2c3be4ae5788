import { compilePattern, type Pattern } from '../core/pattern.ts';
import type { Model } from '../model/model.ts';
import { GUEST, listPermissions, type RolePermission, USER } from '../model/role.ts';

/** Paths that no role guards: they lead to a login, or judge who asks by themselves. */
const NEVER = /^\/(?:auth|dialog|oauth|rest|health|\.well-known)(?:\/|$)/i;
/** What the login page is drawn with. */
const LOGIN_ASSET = /^\/(?:styles\/treadle\.css|favicon\.svg|favicon\.ico)$/;

/** Whether roles leave a path alone, whatever they name. */
export const isNeverGuarded = (path: string): boolean => NEVER.test(path) || LOGIN_ASSET.test(path);

/** Who decides about a request to a guarded path. */
export interface PathVerdict {
  /** The permission that lets it in; undefined where it is refused. */
  readonly by: RolePermission | undefined;
  /** The permissions that guard the path. */
  readonly guards: readonly RolePermission[];
}

export interface PathGuard {
  guards(path: string): boolean;
  /** Judges a guarded path; undefined for one that nobody guards. */
  judge(path: string, method: string, roles: readonly string[]): PathVerdict | undefined;
}

interface Entry {
  readonly permission: RolePermission;
  readonly pattern: Pattern;
}

/** The roles that somebody holds: the given ones, and those that need no giving. */
export const toHeld = (roles: readonly string[], isLoggedIn: boolean): readonly string[] =>
  isLoggedIn ? [GUEST, USER, ...roles] : [GUEST, ...roles];

const takes = ({ method }: RolePermission, asked: string): boolean =>
  method === 'all' || method === (asked === 'HEAD' ? 'get' : asked.toLowerCase());

/** Compiles the permissions of all roles. A path that one of them names is guarded, for every method. */
export function compilePathGuard(model: Pick<Model, 'roles'>): PathGuard {
  const entries = listPermissions(model).map(
    (permission): Entry => ({ permission, pattern: compilePattern(permission.path) }),
  );
  const find = (path: string): RolePermission[] =>
    isNeverGuarded(path)
      ? []
      : entries.filter(({ pattern }) => pattern.covers(path)).map(({ permission }) => permission);
  return {
    guards: (path) => !isNeverGuarded(path) && entries.some(({ pattern }) => pattern.covers(path)),
    judge(path, method, roles) {
      const guards = find(path);
      if (guards.length === 0) return undefined;
      return { by: guards.find((entry) => takes(entry, method) && roles.includes(entry.role)), guards };
    },
  };
}

/** What the roles' files guard, a text each, such as `all:/staff/** (staff)`. */
export const listGuarded = (model: Pick<Model, 'roles'>): string[] =>
  listPermissions(model)
    .filter(({ file, path }) => file !== undefined && !isNeverGuarded(path.replaceAll('*', 'x')))
    .map(({ method, path, role }) => `${method}:${path} (${role})`);
