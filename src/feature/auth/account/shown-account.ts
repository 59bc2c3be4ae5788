import { mayOpenPath } from '../../../access/guard.ts';
import { findRuler } from '../../../access/rules.ts';
import { findVisibleColumns } from '../../../access/show.ts';
import { type Access, type Action, getAccess } from '../../../core/access.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { SchemaModel } from '../../../model/model.ts';
import type { Context } from '../../../plan/feature.ts';
import { getSearcher } from '../../../store/read/searcher.ts';
import { decodeRows } from '../../../store/read/sql/printed.ts';

const PEOPLE = '/admin/user/search';

/** True if the accounts of others show with their e-mail and roles: no role rules profiles, or the person may open the accounts. */
function seesAccounts({ plan }: Context, access: Access): boolean {
  const { kind, related } = access;
  // Without rules, or as an administrator, nothing is limited.
  if (kind === 'system' || related === undefined) return true;
  if (findRuler(plan.model)?.isRuled('profile') !== true) return true;
  return kind === 'page' && mayOpenPath(plan.model, PEOPLE, 'GET', access);
}

/** Whether somebody may name an account by its e-mail address, or search by it. */
export const maySearchByEmail = (context: Context): boolean => seesAccounts(context, getAccess());

const isAccountColumn = (profile: SchemaModel, name: string): boolean => !profile.row.stored.includes(name);

/**
 * Accounts with their profiles in one row each, as the viewer may see them: of the profile what the rules show, the
 * e-mail, the roles and the rest of the account only to its owner and to who may open `/admin/user`. Undefined where a rule
 * hides the profile of another person.
 */
export async function showAccounts(
  context: Context,
  rows: readonly Row[],
  action: Action = 'detail',
  access: Access = getAccess(),
): Promise<readonly (Row | undefined)[]> {
  const { model } = context.plan;
  const profile = model.schemas.get('profile');
  if (profile === undefined || access.kind === 'system' || access.related === undefined) return rows;
  const hasAccounts = seesAccounts(context, access);
  const world = { model, database: context.services.database };
  const decoded = decodeRows(
    getSearcher(model).source('profile'),
    rows.map((row) => ({ ...row })),
    world.database.dialect,
  );
  const visible = await findVisibleColumns(world, access, profile, decoded, action);
  return rows.map((row, index) => {
    const columns = visible[index];
    const isOwn = access.authId !== undefined && access.authId === row.auth_id;
    if (columns === undefined && !isOwn) return undefined;
    const shows = (name: string): boolean =>
      name === 'auth_id' || name === 'profile_id'
        ? true
        : isAccountColumn(profile, name)
          ? isOwn || hasAccounts
          : columns?.has(name) === true;
    return Object.fromEntries(Object.entries(row).filter(([name]) => shows(name)));
  });
}

/** Replaces the account that a call's event answers by what the caller may see of it. Call it after hooks took the whole one. */
export async function answerShownAccount(context: Context, request: Request, response: Response): Promise<void> {
  if (request.callFacts === undefined || response.isError()) return;
  const row = response.getResults() as Row;
  const [shown] = await showAccounts(context, [row]);
  response.setResults(shown ?? { auth_id: row.auth_id });
}
