import * as z from 'zod';
import { findTokenAccount } from '../../../core/access.ts';
import { toSeconds } from '../../../core/clock.ts';
import type { Row } from '../../../database/row-statement.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { optionalId, row } from '../../../plan/event/value.ts';
import type { Context } from '../../../plan/feature.ts';
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

export const grantSearch = defineEvent({
  name: 'grant-search',
  description: 'Lists the apps that may act for an account.',
  kind: 'silent',
  stage: () => z.object({ auth_id: optionalId('The account; in a user call always that of the token.') }),
  results: () =>
    z
      .object({ rows: z.array(row()) })
      .describe(
        '`rows`: `app_id`, `title`, `website`, `owner`, `active`, `scopes`, `granted_at`, `used_at`, `expires_at` (unix seconds).',
      ),
  async run({ auth_id: asked }, context) {
    const { database, clock } = context.services;
    const authId = findTokenAccount() ?? asked;
    if (typeof authId !== 'number')
      return reject({ status: 400, code: 'BAD_REQUEST', parameter: 'auth_id', message: 'auth_id names no account.' });
    const rows = await findLiveGrants(database, authId, toSeconds(clock.now()));
    return { rows: await gather(context, rows, await findLastUses(database, authId)) };
  },
});
