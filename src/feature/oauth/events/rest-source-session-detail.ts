import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import { continueWith } from '../../../core/continue-with.ts';
import { memoize } from '../../../core/memoize.ts';
import type { Response } from '../../../core/request/response.ts';
import { digest, isSameSecret } from '../../../core/secret/secret.ts';
import { defineEvent } from '../../../plan/event/event.ts';
import { anything } from '../../../plan/event/value.ts';
import type { Context } from '../../../plan/feature.ts';
import { isScopeAllowed } from '../client/allowed-scopes.ts';
import { parseList, toNullable, toOptional } from '../client/app-row.ts';
import { noteApp } from '../client/traffic.ts';
import { noteUse } from '../token/last-use.ts';
import { createTokenSource } from '../token/source.ts';

const findSource = memoize(({ services }: Context) => createTokenSource(services));

/** The results name the reason, so they stay with the error. */
function refuseToken(response: Response): undefined {
  response.setResults({ reason: 'invalid_token' }).setStatus(401).setError(true, 'Unauthorized request');
}

export const restSourceSessionDetail = defineEvent({
  name: 'rest-source-session-detail',
  description: 'Finds the user and the app of an access token.',
  kind: 'silent',
  stage: () =>
    z.object({
      access_token: anything('The token.'),
      access_secret: anything('Its secret; must match if given.'),
      isQuery: anything('Whether the token came in the query string; returned unchanged.'),
    }),
  results: () =>
    z
      .object({
        app_id: z.number(),
        client_id: z.string(),
        auth_id: z.number().nullable(),
        profile_id: z.number().nullable(),
        scopes: z.array(z.string()),
        isQuery: z.boolean(),
      })
      .describe(
        '`app_id`, `client_id`, `auth_id`, `profile_id`, `scopes`, `isQuery`. A client credentials token has no user.',
      ),
  checksStage: true,
  run({ access_token: token, access_secret: secret, isQuery }, context, { response }) {
    if (typeof token !== 'string' || token === '') return refuseToken(response);
    const { services, plan } = context;
    const hash = digest(token);
    return continueWith(findSource(context)(hash), (row) => {
      if (row) noteApp(Number(row.app_id));
      if (!row || Number(row.expires_at) <= toSeconds(services.clock.now())) return refuseToken(response);
      if (secret !== undefined && secret !== '') {
        const stored = String(row.secret_hash ?? '');
        if (typeof secret !== 'string' || !isSameSecret(digest(secret), stored)) return refuseToken(response);
      }
      noteUse(services, hash);
      // A token loses scopes that the app no longer has.
      const app = {
        name: toOptional(row.app_name),
        scopes: parseList(row.app_scopes),
        approved: parseList(row.app_approved),
      };
      return {
        app_id: Number(row.app_id),
        client_id: String(row.client_id),
        auth_id: toNullable(row.auth_id),
        profile_id: toNullable(row.profile_id),
        scopes: parseList(row.scopes).filter((slug) => isScopeAllowed(plan.model, app, slug)),
        isQuery: isQuery === true,
      };
    });
  },
});
