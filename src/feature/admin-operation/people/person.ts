import { asSystem, getAccess } from '../../../core/access.ts';
import { translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { ADMIN, listRoles, parseRoles } from '../../../model/role/role.ts';
import { readResults } from '../../../page/emit-event.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';

/** An account, as a page shows it. */
export interface Person {
  readonly id: number;
  readonly row: Row;
  readonly email: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly isActive: boolean;
  readonly isVerified: boolean;
  /** True on one's own page. */
  readonly isMe: boolean;
}

export function toPerson(row: Row): Person {
  const email = String(row.auth_slug);
  return {
    id: Number(row.auth_id),
    row,
    email,
    name: String(row.profile_name ?? email),
    roles: parseRoles(row.auth_type),
    isActive: Number(row.auth_active) === 1,
    isVerified: Number(row.auth_verified) === 1,
    isMe: getAccess().authId === Number(row.auth_id),
  };
}

/** The account that the path names; without it the answer is the page for 404. */
export async function openPerson(context: Context, { request, response }: Exchange): Promise<Person | undefined> {
  const stage = { auth_id: request.getStage('auth_id') };
  const row = await asSystem(() => readResults(context, 'auth-detail', stage));
  if (row) return toPerson(row);
  response.setStatus(404);
  return undefined;
}

const isAdmin = (): boolean => getAccess().roles.includes(ADMIN);

/** Roles that the person who looks may give and take: administrators all, others those that they hold themselves. */
export const listGivable = ({ plan }: Context): readonly string[] =>
  listRoles(plan.model).filter((slug) => isAdmin() || (slug !== ADMIN && getAccess().roles.includes(slug)));

/** Why the person who looks may not change an account; undefined if they may. */
export function findHindrance({ roles }: Person): string | undefined {
  const own = getAccess().roles;
  if (isAdmin() || roles.every((slug) => own.includes(slug))) return undefined;
  return translate('Only an administrator changes an account with roles that you do not have.');
}
