import * as z from 'zod';
import { getAccess } from '../../../core/access.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { anything, onlyText, row } from '../../../plan/event/value.ts';
import { getSearcher } from '../../../store/read/searcher.ts';
import { toAccount } from '../account/account.ts';
import { maySearchByEmail, showAccounts } from '../account/shown-account.ts';
import { getAccountGrant } from '../find-requested.ts';
import { searchAuth } from '../sql.ts';

/** A whole number from 0; the default if missing, undefined if invalid. */
function readCount(value: unknown, preset: number): number | undefined {
  if (value === undefined || value === '') return preset;
  const count = Number(value);
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

const REFUSED = 'You are not allowed to search profiles.';
const REFUSED_ACCOUNT = 'You are not allowed to search accounts by e-mail address, role or state.';

export const authSearch = defineEvent({
  name: 'auth-search',
  description:
    'Searches accounts, oldest first. Inside a request the rules for profiles apply: e-mail and roles show to who may open `/admin/user`, and only they may search by them.',
  kind: 'reads',
  stage: () =>
    z.object({
      q: onlyText('Part of the e-mail address.'),
      filter: z.object({ auth_active: anything('1 (default), 0 or any.') }).optional(),
      role: onlyText('Slug of a role that the account holds.'),
      limit: anything('Rows, 1 to 100. Default 50.'),
      offset: anything('Rows to skip. Default 0.'),
    }),
  results: () =>
    z
      .object({ rows: z.array(row()), total: z.number() })
      .describe('`rows`, each an account and its profile in one row without the password, and `total`.'),
  async run(stage, context, { request }) {
    if (getAccountGrant('search').rows !== undefined)
      return reject({ status: 403, code: 'EVENT_NOT_BY_CALL', message: 'A user call cannot search accounts.' });
    const [limit, offset] = [readCount(stage.limit, 50), readCount(stage.offset, 0)];
    const activeFilter = String(stage.filter?.auth_active ?? '1');
    if (limit === undefined || limit < 1 || limit > 100 || offset === undefined)
      return reject({
        status: 400,
        code: 'SEARCH_INVALID',
        parameter: 'limit',
        message: 'limit is 1 to 100, offset 0 or more.',
      });
    if (!['0', '1', 'any'].includes(activeFilter))
      return reject({
        status: 400,
        code: 'SEARCH_INVALID',
        parameter: 'filter[auth_active]',
        message: 'filter[auth_active] is 1, 0 or any.',
      });
    const isClosed = request.isBrought('filter', 'auth_active') && !request.callFacts?.isRemovedOpen;
    if (activeFilter !== '1' && isClosed) {
      const message =
        'filter[auth_active] is 1 only: a call opens removed accounts by "removed": true in its definition.';
      return reject({ status: 400, code: 'SEARCH_INVALID', message });
    }
    const [words, role] = [(stage.q ?? '').trim(), (stage.role ?? '').trim()];
    const grant = getAccess().grant('profile', 'search');
    const isAsking = words !== '' || role !== '' || activeFilter !== '1';
    if (grant === undefined || (isAsking && !maySearchByEmail(context)))
      return reject({ status: 403, code: 'ACCESS_REFUSED', message: grant === undefined ? REFUSED : REFUSED_ACCOUNT });
    const active = activeFilter === 'any' ? undefined : activeFilter === '1' ? 1 : 0;
    const { database } = context.services;
    const { model } = context.plan;
    const profiles =
      grant.rows === undefined ? undefined : getSearcher(model).rowFilter(database.dialect, 'profile', grant.rows);
    const { rows, total } = await searchAuth(database, { words, role, active, limit, offset, profiles });
    const accounts = rows.map((found) => toAccount(context, found, undefined));
    const shown = await showAccounts(context, accounts, 'search');
    return { rows: shown.filter((account) => account !== undefined), total };
  },
});
