import { getAccess } from '../../../core/access.ts';
import type { Request } from '../../../core/request/request.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { getSearcher } from '../../../store/read/searcher.ts';
import { readText, toAccount } from '../account/account.ts';
import { maySearchByEmail, showAccounts } from '../account/shown-account.ts';
import { getAccountGrant } from '../find-requested.ts';
import { searchAuth } from '../sql.ts';

/** A whole number from the stage within bounds; the default if missing, undefined if invalid. */
function readCount(request: Request, key: string, fallback: number): number | undefined {
  const value = request.getStage(key);
  if (value === undefined || value === '') return fallback;
  const count = Number(value);
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

const REFUSED = 'You are not allowed to search profiles.';
const REFUSED_ACCOUNT = 'You are not allowed to search accounts by e-mail address, role or state.';

export const authSearch: EventContribution = {
  name: 'auth-search',
  description:
    'Searches accounts, oldest first. Inside a request the rules for profiles apply: e-mail and roles show to who may open `/admin/user`, and only they may search by them.',
  stage: {
    q: 'Part of the e-mail address.',
    'filter[auth_active]': '1 (default), 0 or any.',
    role: 'Slug of a role that the account holds.',
    limit: 'Rows, 1 to 100. Default 50.',
    offset: 'Rows to skip. Default 0.',
  },
  results: '`rows`, each an account and its profile in one row without the password, and `total`.',
  kind: 'reads',
  listen: (context) => async (request, response) => {
    if (getAccountGrant('search').rows !== undefined) {
      return response.refuse({ status: 403, message: 'A user call cannot search accounts.' });
    }
    const limit = readCount(request, 'limit', 50);
    const offset = readCount(request, 'offset', 0);
    const activeFilter = String(request.getStage('filter', 'auth_active') ?? '1');
    if (limit === undefined || limit < 1 || limit > 100 || offset === undefined) {
      return response.refuse({ status: 400, message: 'limit is 1 to 100, offset 0 or more.' });
    }
    if (!['0', '1', 'any'].includes(activeFilter)) {
      return response.refuse({ status: 400, message: 'filter[auth_active] is 1, 0 or any.' });
    }
    const isClosed = request.isBrought('filter', 'auth_active') && !request.callFacts?.isRemovedOpen;
    if (activeFilter !== '1' && isClosed) {
      const message =
        'filter[auth_active] is 1 only: a call opens removed accounts by "removed": true in its definition.';
      return response.refuse({ status: 400, message });
    }
    const words = readText(request.getStage('q')).trim();
    const role = readText(request.getStage('role')).trim();
    const grant = getAccess().grant('profile', 'search');
    const isAsking = words !== '' || role !== '' || activeFilter !== '1';
    if (grant === undefined || (isAsking && !maySearchByEmail(context)))
      return response.refuse({ status: 403, message: grant === undefined ? REFUSED : REFUSED_ACCOUNT });
    const active = activeFilter === 'any' ? undefined : activeFilter === '1' ? 1 : 0;
    const { database } = context.services;
    const { model } = context.plan;
    const profiles =
      grant.rows === undefined ? undefined : getSearcher(model).rowFilter(database.dialect, 'profile', grant.rows);
    const { rows, total } = await searchAuth(database, { words, role, active, limit, offset, profiles });
    const accounts = rows.map((row) => toAccount(context, row, undefined));
    response.succeed({ rows: (await showAccounts(context, accounts, 'search')).flatMap((row) => row ?? []), total });
  },
};
