import { findTokenAccount } from '../../../core/access.ts';
import { toSeconds } from '../../../core/clock.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { parseList } from '../client/app-row.ts';
import { findLastUses, findLiveGrants } from '../consent/grant-sql.ts';
import { findOwnerName } from '../sql.ts';

const latest = (values: readonly unknown[]): number | undefined => {
  const known = values.filter((value) => value !== null && value !== undefined).map(Number);
  return known.length === 0 ? undefined : Math.max(...known);
};

/** One row per app that combines its consents. */
async function gather({ services }: Context, rows: readonly Row[], uses: ReadonlyMap<number, number>): Promise<Row[]> {
  const byApp = new Map<number, Row[]>();
  for (const row of rows) byApp.set(Number(row.app_id), [...(byApp.get(Number(row.app_id)) ?? []), row]);
  return Promise.all(
    [...byApp].map(async ([appId, grants]) => {
      const [first] = grants as [Row, ...Row[]];
      const owner = first.owner_auth_id === null ? undefined : Number(first.owner_auth_id);
      return {
        app_id: appId,
        title: first.title,
        website: first.website,
        owner: owner === undefined ? undefined : await findOwnerName(services.database, owner),
        active: first.active,
        remembered: first.remember_consent,
        scopes: [...new Set(grants.flatMap((grant) => parseList(grant.scopes)))],
        granted_at: Math.min(...grants.map((grant) => Number(grant.created_at))),
        used_at: latest([...grants.flatMap((grant) => [grant.used_at, grant.token_used_at]), uses.get(appId)]),
        expires_at: latest(grants.map((grant) => grant.expires_at)),
      };
    }),
  );
}

export const grantSearch: EventContribution = {
  name: 'grant-search',
  description: 'Lists the apps that may act for an account.',
  stage: { auth_id: 'The account; in a user call always that of the token.' },
  results:
    '`rows`: `app_id`, `title`, `website`, `owner`, `active`, `scopes`, `granted_at`, `used_at`, `expires_at` (unix seconds).',
  kind: 'silent',
  listen: (context) => async (request, response) => {
    const { database, clock } = context.services;
    const authId = findTokenAccount() ?? Number(request.getStage('auth_id'));
    if (!Number.isSafeInteger(authId)) return response.refuse({ status: 400, message: 'auth_id names no account.' });
    const rows = await findLiveGrants(database, authId, toSeconds(clock.now()));
    response.succeed({ rows: await gather(context, rows, await findLastUses(database, authId)) });
  },
};
