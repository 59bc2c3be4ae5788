import { suggest } from '../../core/text/suggest.ts';
import { translate } from '../../core/text/translate.ts';
import type { Model } from '../model.ts';
import type { Role } from '../shape.ts';

/** Opens `/admin/**` and reaches every row; needs no file. */
export const ADMIN = 'admin';
/** Everybody has it. */
export const GUEST = 'guest';
/** Everybody who is logged in has it. */
export const USER = 'user';

/** App calls have it, in addition to {@link GUEST}. */
export const APP = 'app';

/** What `admin` opens, in addition to a file of that name. */
const ADMIN_PERMISSION: Role['permissions'][number] = { method: 'all', path: '/admin/**' };

/** The roles in an account's `auth_type`: slugs separated by spaces or commas. */
export const parseRoles = (type: unknown): readonly string[] =>
  typeof type === 'string' ? type.split(/[\s,]+/).filter((slug) => slug !== '') : [];

/** True if accounts may have this role: it has a file, or is built in. */
const isRole = ({ roles }: Pick<Model, 'roles'>, slug: string): boolean => slug === ADMIN || roles.has(slug);

/** True if a role needs no file. */
export const isBuiltIn = (slug: string): boolean => [ADMIN, GUEST, USER, APP].includes(slug);

/** Slugs of roles that accounts may have. */
export const listRoles = ({ roles }: Pick<Model, 'roles'>): string[] => [...new Set([ADMIN, ...roles.keys()])];

/** Why accounts may not have one of these roles, with the nearest one; undefined if they may have all. */
export function findRoleError(model: Pick<Model, 'roles'>, slugs: readonly string[]): string | undefined {
  const unknown = slugs.find((slug) => !isRole(model, slug));
  if (unknown === undefined) return undefined;
  const roles = listRoles(model);
  const said = translate('Should be the slug of a role: {roles}', { roles: roles.join(', ') });
  const near = suggest(unknown, roles);
  return near === undefined ? said : `${said}. ${translate('Did you mean "{0}"?', { 0: near })}`;
}

/** Schemas that roles rule: they are closed to what no role allows. */
export const listRuled = ({ roles }: Pick<Model, 'roles'>): string[] => [
  ...new Set([...roles.values()].flatMap(({ data = {} }) => Object.keys(data))),
];

/** Splits roles into those that open something now, and those that wait for a second factor of the account. */
export function splitRoles(
  { roles }: Pick<Model, 'roles'>,
  slugs: readonly string[],
  hasSecondFactor: boolean,
): { readonly roles: readonly string[]; readonly waiting: readonly string[] } {
  const waits = (slug: string): boolean => !hasSecondFactor && roles.get(slug)?.secondFactor === 'required';
  return { roles: slugs.filter((slug) => !waits(slug)), waiting: slugs.filter(waits) };
}

export interface RolePermission {
  readonly role: string;
  readonly method: string;
  readonly path: string;
  /** The role's file; undefined for built-in permissions. */
  readonly file: string | undefined;
  /** Its index in the file's list. */
  readonly index: number;
}

/** The permissions of all roles. */
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
