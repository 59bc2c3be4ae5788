import { toSeconds } from '../../../core/clock.ts';
import { continueWith } from '../../../core/continue-with.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import { digest, isSameSecret } from '../../../core/secret/secret.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { isScopeAllowed } from '../client/allowed-scopes.ts';
import { parseList, toOptional } from '../client/app-row.ts';
import { noteApp } from '../client/traffic.ts';
import { noteUse } from '../token/last-use.ts';
import { createTokenSource } from '../token/source.ts';

function refuseToken(response: Response): void {
  response.setResults({ reason: 'invalid_token' }).setStatus(401).setError(true, 'Unauthorized request');
}

export const restSourceSessionDetail: EventContribution = {
  name: 'rest-source-session-detail',
  description: 'Finds the user and the app of an access token.',
  stage: {
    access_token: 'The token.',
    access_secret: 'Its secret; must match if given.',
    isQuery: 'Whether the token came in the query string; returned unchanged.',
  },
  results:
    '`app_id`, `client_id`, `auth_id`, `profile_id`, `scopes`, `isQuery`. A client credentials token has no user.',
  kind: 'silent',
  listen: ({ services, plan: { model } }) => {
    const { clock } = services;
    const findSource = createTokenSource(services);
    const answer = (hash: string, row: Row | undefined, request: Request, response: Response) => {
      const secret = request.getStage('access_secret');
      if (row) noteApp(Number(row.app_id));
      if (!row || Number(row.expires_at) <= toSeconds(clock.now())) return refuseToken(response);
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
      response.setError(false).setResults({
        app_id: row.app_id,
        client_id: row.client_id,
        auth_id: row.auth_id,
        profile_id: row.profile_id,
        scopes: parseList(row.scopes).filter((slug) => isScopeAllowed(model, app, slug)),
        isQuery: request.getStage('isQuery') === true,
      });
    };
    return (request, response) => {
      const token = request.getStage('access_token');
      if (typeof token !== 'string' || token === '') return refuseToken(response);
      const hash = digest(token);
      return continueWith(findSource(hash), (row) => answer(hash, row, request, response));
    };
  },
};
