import type { Model } from './model.ts';
/** Opens `/admin/**` and reaches every row; needs no file. */
export declare const ADMIN = "admin";
/** Everybody has it. */
export declare const GUEST = "guest";
/** Everybody who is logged in has it. */
export declare const USER = "user";
/** App calls have it, in addition to {@link GUEST}. */
export declare const APP = "app";
/** The roles in an account's `auth_type`: slugs separated by spaces or commas. */
export declare const parseRoles: (type: unknown) => readonly string[];
/** True if accounts may have this role: it has a file, or is built in. */
export declare const isRole: ({ roles }: Pick<Model, 'roles'>, slug: string) => boolean;
/** True if a role needs no file. */
export declare const isBuiltIn: (slug: string) => boolean;
/** Slugs of roles that accounts may have. */
export declare const listRoles: ({ roles }: Pick<Model, 'roles'>) => string[];
/** Schemas that roles rule: they are closed to what no role allows. */
export declare const listRuled: ({ roles }: Pick<Model, 'roles'>) => string[];
/** Splits roles into those that open something now, and those that wait for a second factor of the account. */
export declare function splitRoles({ roles }: Pick<Model, 'roles'>, held: readonly string[], hasSecondFactor: boolean): {
    readonly roles: readonly string[];
    readonly waiting: readonly string[];
};
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
export declare function listPermissions({ roles }: Pick<Model, 'roles'>): RolePermission[];
