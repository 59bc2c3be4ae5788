import {
  type Access,
  type Action,
  createAccess,
  createOwnerAccess,
  type Grant,
  NOBODY,
  WHOLE,
  type Who,
} from '../core/access.ts';
import type { RouteKind } from '../core/bus/route-index.ts';
import { toStamp } from '../core/clock.ts';
import { memoize } from '../core/memoize.ts';
import { isObject } from '../core/record.ts';
import type { Request } from '../core/request/request.ts';
import type { Row } from '../database/row-statement.ts';
import { hasPrivate } from '../model/role/private.ts';
import { ADMIN, APP, GUEST, USER } from '../model/role/role.ts';
import type { Access as CallAccess } from '../model/shape.ts';
import type { AccessContext } from './ask.ts';
import { type Person, readPerson, toPerson } from './person.ts';
import { tallyOf } from './refusal.ts';
import type { RuleValues } from './rule-filter.ts';
import { findRuler, type Ruler } from './rules.ts';

/** The caller, before its roles are applied. */
interface Requester {
  readonly who: Who;
  /** Undefined for visitors and apps. */
  readonly person?: Person | undefined;
  /** Id of the profile that a user call is limited to. */
  readonly ownerId?: number | undefined;
}

/** The caller's roles: its own, and the built-in ones of its kind. */
function listRoles({ who, person }: Requester): readonly string[] {
  if (who.kind === 'app') return [GUEST, APP];
  return person === undefined ? [GUEST] : [GUEST, USER, ...person.roles];
}

function toValues({ person }: Requester, roles: readonly string[], now: () => number): RuleValues {
  const stamp = toStamp(now());
  return {
    now: () => stamp,
    me(name) {
      if (name === 'roles') return roles;
      if (person === undefined) return undefined;
      return name === 'profile_id' ? person.profileId : person.row[name];
    },
  };
}

/** The person's values that the rules of these roles use, as one text. */
function toView(ruler: Ruler, roles: readonly string[], values: RuleValues): { view: string; isTimed: boolean } {
  const { names, usesNow } = ruler.uses(roles);
  const view =
    names.length === 0 ? roles.join() : JSON.stringify([roles, names.map((name) => values.me(name) ?? null)]);
  return { view, isTimed: usesNow };
}

const VISITOR = createAccess({ kind: 'page' });
const PUBLIC = createAccess({ kind: 'public' });

/** The access of a caller that no rule concerns. */
function toPlain(who: Who, ownerId: number | undefined): Access {
  if (ownerId !== undefined) return createOwnerAccess(who, ownerId);
  if (who.kind === 'public') return PUBLIC;
  return who.kind === 'page' && who.authId === undefined ? VISITOR : createAccess(who);
}

const withOwner = (grant: Grant, ownerId: number | undefined): Grant =>
  ownerId === undefined ? grant : { ...grant, rows: { ...grant.rows, owner: ownerId } };

/** The caller's access by the rules of its roles. Schemas without rules are reached completely, or by owner, without what is private. */
function createRoleAccess({ plan, services }: Pick<AccessContext, 'plan' | 'services'>, requester: Requester): Access {
  const { who, person, ownerId } = requester;
  const ruler = findRuler(plan.model);
  const known = { ...who, ...(person === undefined ? {} : { roles: person.roles }) };
  const isAdmin = who.kind !== 'app' && person?.roles.includes(ADMIN) === true;
  if (ruler === undefined || isAdmin) return toPlain(known, ownerId);
  const roles = listRoles(requester);
  const values = toValues(requester, roles, () => services.clock.now());
  const grants = new Map<string, Grant | undefined>();
  const find = (schema: string, action: Action, isOwned = false): Grant | undefined => {
    const open = ruler.findOpen(schema);
    if (open === undefined && !ruler.isRuled(schema)) return WHOLE;
    // Without rules every action reaches the same.
    const key = `${isOwned ? 'own ' : ''}${open === undefined ? `${action} ` : ''}${schema}`;
    if (!grants.has(key))
      grants.set(key, ruler.combine(schema, open ?? ruler.list(schema, action, roles), values, isOwned));
    return grants.get(key);
  };
  const owned = new Map<Grant, Grant>();
  const grant = (schema: string, action: Action): Grant | undefined => {
    const found = find(schema, action, ownerId !== undefined);
    if (found === undefined || ownerId === undefined) return found;
    const made = owned.get(found) ?? withOwner(found, ownerId);
    owned.set(found, made);
    return made;
  };
  const told = new Set<string>();
  const related = (schema: string): Grant | undefined => {
    const found = find(schema, 'detail');
    // Rows that miss on a page without an error: its author should know that a role closes them.
    if (found === undefined && who.kind === 'page' && !told.has(schema)) {
      told.add(schema);
      services.log.warn('refused-by-roles', { schema, action: 'detail', roles: known.roles ?? [], by: 'relation' });
      tallyOf(services.database).add({ schema, action: 'detail' }, services.clock);
    }
    return found;
  };
  return Object.freeze({ roles: [], scopes: [], ...known, grant, related, ...toView(ruler, roles, values) });
}

/** The caller of a REST call; listeners read it as `request.get('actor')`. */
export interface Actor {
  readonly kind: CallAccess;
  readonly appId?: number;
  readonly clientId?: string;
  readonly authId?: number;
  readonly profileId?: number;
  /** Slugs of the scopes that the app or the token holds. */
  readonly scopes: readonly string[];
}

/** The caller's access, by its roles. A user call on own rows is also limited to the token's profile. */
export function findCallAccess(context: AccessContext, actor: Actor, isOwn: boolean): Access | Promise<Access> {
  // A user without a profile owns no rows: ids start at 1, so 0 matches none.
  const ownerId = actor.kind === 'user' && isOwn ? (actor.profileId ?? 0) : undefined;
  const requester = { who: actor, ...(ownerId === undefined ? {} : { ownerId }) };
  if (actor.kind !== 'user' || actor.authId === undefined || findRuler(context.plan.model) === undefined)
    return createRoleAccess(context, requester);
  const { authId, profileId } = actor;
  const known = { authId, roles: [], row: {}, ...(profileId === undefined ? {} : { profileId }) };
  return readPerson(context, known).then((person) => createRoleAccess(context, { ...requester, person }));
}

/** The access of a person to pages; of a visitor without one. */
export function toPersonAccess(context: AccessContext, person: Person | undefined): Access {
  if (person === undefined) return createRoleAccess(context, { who: { kind: 'page' } });
  const { authId, profileId, roles, waiting = [] } = person;
  const known = { ...(profileId === undefined ? {} : { profileId }), ...(waiting.length === 0 ? {} : { waiting }) };
  const who = { kind: 'page', authId, roles, ...known } as const;
  return createRoleAccess(context, { who, person });
}

function findPerson({ plan }: AccessContext, request: Request): Person | undefined {
  const me = request.hasSession() ? request.getSession('me') : undefined;
  return isObject(me) ? toPerson(plan.model, me) : undefined;
}

/** Whether a plan has the table of accounts, with the profiles. */
const hasAccounts = memoize(({ tables }: AccessContext['plan']) => tables.some(({ name }) => name === 'treadle_auth'));

/** Whether roles decide what a page shows. */
const dependsOnRoles = ({ model }: AccessContext['plan']): boolean => model.roles.size > 0 || hasPrivate(model);

/** Whether the access of a page request needs the stored account, so that it is best read with the session. */
export const needsAccount = ({ plan }: AccessContext, isGuarded: boolean): boolean =>
  (isGuarded || dependsOnRoles(plan)) && hasAccounts(plan);

/**
 * Access of a page request with the user's current roles; of a visitor without a login.
 *
 * @param account The account as it was read with the session. Default: read now.
 */
export async function readPageAccess(context: AccessContext, request: Request, account?: Row): Promise<Access> {
  const person = findPerson(context, request);
  return toPersonAccess(context, person && (await readPerson(context, person, account)));
}

/**
 * Access of a page request. Without role files and private fields the session is enough, so that the account is not read.
 */
export function findPageAccess(context: AccessContext, request: Request, account?: Row): Access | Promise<Access> {
  if (dependsOnRoles(context.plan)) return readPageAccess(context, request, account);
  return toPersonAccess(context, findPerson(context, request));
}

/**
 * Initial access of a request outside the pages. A REST call creates its own access once it knows the caller; until then
 * it reaches nothing. A route of the project's own code has public access.
 */
export const toOpenAccess = (context: AccessContext, isOwn: boolean): Access =>
  isOwn ? NOBODY : createRoleAccess(context, { who: { kind: 'public' } });

/** Access of a refusal: its page may show who is logged in. */
export const findRefusalAccess = (
  context: AccessContext,
  kind: RouteKind,
  request: Request,
): Access | Promise<Access> => (kind === 'page' ? findPageAccess(context, request) : NOBODY);
