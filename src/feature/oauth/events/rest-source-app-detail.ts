import { toSeconds } from '../../../core/clock.ts';
import { once } from '../../../core/memoize.ts';
import type { Response } from '../../../core/request/response.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { isScopeAllowed } from '../client/allowed-scopes.ts';
import { parseList, toOptional } from '../client/app-row.ts';
import { isSecretOf } from '../client/proof.ts';
import { noteApp } from '../client/traffic.ts';
import { compileAppSource } from '../sql.ts';

function refuseApp(response: Response): void {
  response.setResults({ reason: 'invalid_client' }).setStatus(401).setError(true, 'Unauthorized request');
}

export const restSourceAppDetail: EventContribution = {
  name: 'rest-source-app-detail',
  description: 'Finds the app that sends a REST call.',
  stage: {
    client_id: 'The app.',
    client_secret: 'Its secret; must match if given.',
    isSecretNeeded: 'Whether the call needs the secret, as every write does.',
  },
  results: '`app_id`, `client_id`, `scopes`, `owner_profile_id`.',
  kind: 'silent',
  listen: ({ services: { database, clock }, plan: { model } }) => {
    const query = once(() => compileAppSource(database));
    return async (request, response) => {
      const clientId = request.getStage('client_id');
      const secret = request.getStage('client_secret');
      if (typeof clientId !== 'string' || clientId === '') return refuseApp(response);
      const [row] = await database.run(query(), [clientId]);
      if (row) noteApp(Number(row.app_id));
      const isGiven = typeof secret === 'string' && secret !== '';
      const isNeeded = request.getStage('isSecretNeeded') === true;
      if (isGiven || isNeeded) {
        const now = toOptional(row?.secret_hash);
        const hashes = { now, old: toOptional(row?.old_secret_hash), oldUntil: Number(row?.old_secret_until ?? 0) };
        const isSame = isSecretOf(isGiven ? secret : '', hashes, toSeconds(clock.now()));
        if (!isSame || now === undefined) return refuseApp(response);
      }
      if (!row) return refuseApp(response);
      const app = { name: toOptional(row.name), scopes: parseList(row.scopes), approved: parseList(row.approved) };
      response.setError(false).setResults({
        app_id: row.app_id,
        client_id: row.client_id,
        scopes: app.scopes.filter((slug) => isScopeAllowed(model, app, slug)),
        owner_profile_id: row.owner_profile_id,
      });
    };
  },
};
