import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import { memoize } from '../../../core/memoize.ts';
import type { Response } from '../../../core/request/response.ts';
import { defineEvent } from '../../../plan/event/event.ts';
import { anything } from '../../../plan/event/value.ts';
import type { Context } from '../../../plan/feature.ts';
import { isScopeAllowed } from '../client/allowed-scopes.ts';
import { parseList, toNullable, toOptional } from '../client/app-row.ts';
import { isSecretOf } from '../client/proof.ts';
import { noteApp } from '../client/traffic.ts';
import { compileAppSource } from '../sql.ts';

const findQuery = memoize(({ services }: Context) => compileAppSource(services.database));

/** The results name the reason, so they stay with the error. */
function refuseApp(response: Response): undefined {
  response.setResults({ reason: 'invalid_client' }).setStatus(401).setError(true, 'Unauthorized request');
}

export const restSourceAppDetail = defineEvent({
  name: 'rest-source-app-detail',
  description: 'Finds the app that sends a REST call.',
  kind: 'silent',
  stage: () =>
    z.object({
      client_id: anything('The app.'),
      client_secret: anything('Its secret; must match if given.'),
      isSecretNeeded: anything('Whether the call needs the secret, as every write does.'),
    }),
  results: () =>
    z
      .object({
        app_id: z.number(),
        client_id: z.string(),
        scopes: z.array(z.string()),
        owner_profile_id: z.number().nullable(),
      })
      .describe('`app_id`, `client_id`, `scopes`, `owner_profile_id`.'),
  checksStage: true,
  async run({ client_id: clientId, client_secret: secret, isSecretNeeded }, context, { response }) {
    const { database, clock } = context.services;
    if (typeof clientId !== 'string' || clientId === '') return refuseApp(response);
    const [row] = await database.run(findQuery(context), [clientId]);
    if (row) noteApp(Number(row.app_id));
    const isGiven = typeof secret === 'string' && secret !== '';
    if (isGiven || isSecretNeeded === true) {
      const now = toOptional(row?.secret_hash);
      const hashes = { now, old: toOptional(row?.old_secret_hash), oldUntil: Number(row?.old_secret_until ?? 0) };
      const isSame = isSecretOf(isGiven ? secret : '', hashes, toSeconds(clock.now()));
      if (!isSame || now === undefined) return refuseApp(response);
    }
    if (!row) return refuseApp(response);
    const app = { name: toOptional(row.name), scopes: parseList(row.scopes), approved: parseList(row.approved) };
    return {
      app_id: Number(row.app_id),
      client_id: String(row.client_id),
      scopes: app.scopes.filter((slug) => isScopeAllowed(context.plan.model, app, slug)),
      owner_profile_id: toNullable(row.owner_profile_id),
    };
  },
});
