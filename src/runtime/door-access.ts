import { type Access, NOBODY } from '../core/access.ts';
import { memoize } from '../core/memoize.ts';
import type { Request } from '../core/request.ts';
import type { Row } from '../database/database.ts';
import { hasPrivate } from '../model/private.ts';
import type { AccessContext } from '../plan/ask.ts';
import { type Person, readPerson, toPerson } from '../plan/person.ts';
import { createRoleAccess } from '../plan/role-access.ts';

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
  return typeof me === 'object' && me !== null ? toPerson(plan.model, me as Record<string, unknown>) : undefined;
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
  door: 'page' | 'api' | 'open',
  request: Request,
): Access | Promise<Access> => (door === 'page' ? findPageAccess(context, request) : NOBODY);
