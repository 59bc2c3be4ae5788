import { type Access, asSystem, getAccess } from '../core/access.ts';
import { AttachedValue } from '../core/attached.ts';
import { EMITTED } from '../core/bus/bus.ts';
import { toObject } from '../core/record.ts';
import { Request } from '../core/request/request.ts';
import { Response } from '../core/request/response.ts';
import type { Model } from '../model/model.ts';
import { parseRoles, splitRoles } from '../model/role/role.ts';
import type { Accounts } from './ask.ts';

/** A person with an account, as currently stored: a session may be older than a change of roles. */
export interface Person {
  readonly authId: number;
  readonly profileId?: number;
  /** Slugs of the roles that open something to the person now. */
  readonly roles: readonly string[];
  /** Slugs of roles that open nothing before the account has a second factor. */
  readonly waiting?: readonly string[];
  /** The account and its profile, without secrets. */
  readonly row: Readonly<Record<string, unknown>>;
}

/** Whether an account has a second factor. `auth_second_factor` lists its kinds. */
export const hasSecondFactor = ({ auth_second_factor: kinds }: Readonly<Record<string, unknown>>): boolean =>
  typeof kinds === 'string' && kinds !== '';

/** Maps a row of an account, of a session or of the database to a person; undefined if it is no account. */
export function toPerson(model: Pick<Model, 'roles'>, row: Readonly<Record<string, unknown>>): Person | undefined {
  const { auth_id: authId, profile_id: profileId, auth_type: type } = row;
  if (typeof authId !== 'number') return undefined;
  const split = splitRoles(model, parseRoles(type), hasSecondFactor(row));
  return { authId, ...(typeof profileId === 'number' ? { profileId } : {}), ...split, row };
}

type Row = Readonly<Record<string, unknown>>;

const readRows = new AttachedValue<Request, Row>();

/** The row of an account and its profile that {@link readPerson} was given for the `auth-detail` of this request. */
export const findReadRow = (request: Request): Row | undefined => readRows.get(request);

/**
 * Reads a person; undefined if the account is deleted or disabled. Without the auth feature the known row is
 * used.
 *
 * @param row The stored account with its profile, if this request has just read it. `auth-detail` is emitted all the same.
 */
export async function readPerson(context: Accounts, known: Person, row?: Row): Promise<Person | undefined> {
  const request = new Request().setStage({ auth_id: known.authId });
  readRows.set(request, row);
  const response = new Response(request);
  const emitted = await asSystem(() => context.emit('auth-detail', request, response));
  if (emitted === EMITTED.unheard) return known;
  if (response.isError()) return undefined;
  const found = toObject(response.getResults());
  return Number(found.auth_active ?? 1) === 1 ? toPerson(context.plan.model, found) : undefined;
}

/** The current caller. */
export interface Caller {
  /**
   * `page`: a visitor or user of a page. `public`, `app` and `user`: a call with this access. `system`: a job, a command, or work in
   * `app.asSystem`. `none`: code that runs by itself, such as a timer.
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
