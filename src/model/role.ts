import type { Model } from './model.ts';
import type { Role } from './shape.ts';

/** Opens `/admin/**` and reaches every row; needs no file. */
const ADMIN = 'admin';
/** Everybody holds it. */
export const GUEST = 'guest';
/** Whoever is logged in holds it. */
export const USER = 'user';

/** What `admin` opens, besides what a file of that name adds. */
const ADMIN_PERMISSION: Role['permissions'][number] = { method: 'all', path: '/admin/**' };

/** The roles of an account, as its `auth_type` names them: slugs with blanks or commas between them. */
export const parseRoles = (type: unknown): readonly string[] =>
  typeof type === 'string' ? type.split(/[\s,]+/).filter((slug) => slug !== '') : [];

/** Whether accounts may hold a role of this slug: it has a file, or is built in. */
export const isRole = ({ roles }: Pick<Model, 'roles'>, slug: string): boolean => slug === ADMIN || roles.has(slug);

/** Slugs that accounts may hold. */
export const listRoles = ({ roles }: Pick<Model, 'roles'>): string[] => [...new Set([ADMIN, ...roles.keys()])];

export interface RolePermission {
  readonly role: string;
  readonly method: string;
  readonly path: string;
  /** The role's file; undefined for what is built in. */
  readonly file: string | undefined;
  /** Its place in the file's list. */
  readonly index: number;
}

/** What all roles may open. */
export function listPermissions({ roles }: Pick<Model, 'roles'>): RolePermission[] {
  const written = [...roles.values()].flatMap(({ slug, permissions }) =>
    permissions.map(
      ({ method, path }, index): RolePermission => ({
        role: slug,
        method,
        path,
        file: `config/role/${slug}.json`,
        index,
      }),
    ),
  );
  return [{ role: ADMIN, ...ADMIN_PERMISSION, file: undefined, index: 0 }, ...written];
}
