import { type Access, getAccess } from '../core/access.ts';
import type { Accounts } from './ask.ts';
import { readPerson } from './person.ts';

/** Who asks for what runs now, on pages and calls alike. */
export interface Caller {
  /**
   * `page`: a visitor or user of a page. `public`, `app` and `user`: a call with this access. `system`: a job, a command, or work in
   * `app.asSystem`. `none`: code that nobody asked for, such as a timer.
   */
  readonly kind: Access['kind'];
  /** The account that is logged in, or that a token acts for. Undefined: nobody. */
  readonly auth_id?: number;
  /** The profile of that account. */
  readonly profile_id?: number;
  /** Slugs of the account's roles, as they are now. Without those that wait for a second factor. */
  readonly roles: readonly string[];
  /** Client id of the app. */
  readonly app?: string;
  /** Slugs of the scopes that the app or its token holds. */
  readonly scopes: readonly string[];
}

/** Without rules on rows, the access of a call does not have the roles. */
async function readRoles(context: Accounts, { kind, authId, roles }: Access): Promise<readonly string[]> {
  if (kind !== 'user' || authId === undefined || roles.length > 0) return roles;
  return (await readPerson(context, { authId, roles, row: {} }))?.roles ?? [];
}

/** @see App.caller */
export async function findCaller(context: Accounts): Promise<Caller> {
  const access = getAccess();
  const { kind, authId, profileId, clientId, scopes } = access;
  return {
    kind,
    ...(authId === undefined ? {} : { auth_id: authId }),
    ...(profileId === undefined ? {} : { profile_id: profileId }),
    roles: await readRoles(context, access),
    ...(clientId === undefined ? {} : { app: clientId }),
    scopes,
  };
}
