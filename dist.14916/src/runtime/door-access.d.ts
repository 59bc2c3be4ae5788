import { type Access } from '../core/access.ts';
import type { Request } from '../core/request.ts';
import type { Context, Door } from '../plan/feature.ts';
import { type Person } from '../plan/person.ts';
/** The access of a person to pages; of a visitor without one. */
export declare function toPersonAccess(context: Context, person: Person | undefined): Access;
/** Access of a page request with the user's current roles; of a visitor without a login. */
export declare function readPageAccess(context: Context, request: Request): Promise<Access>;
/**
 * Access of a page request. Without role files the session is enough, so that the account is not read.
 */
export declare function findPageAccess(context: Context, request: Request): Access | Promise<Access>;
/**
 * Initial access of a request outside the pages. A REST call creates its own access once it knows the caller; until then
 * it reaches nothing. A route of the project's own code has public access.
 */
export declare const toOpenAccess: (context: Context, isOwn: boolean) => Access;
/** Access of a refusal: its page may show who is logged in. */
export declare const findRefusalAccess: (context: Context, door: Door, request: Request) => Access | Promise<Access>;
