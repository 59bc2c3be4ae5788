import type { EventContribution } from '../../../plan/feature.ts';
import { parseList } from '../client/app-row.ts';
import { toOriginKey } from '../client/origins.ts';
import { findRedirects } from '../sql.ts';

export const restSourceOriginSearch: EventContribution = {
  name: 'rest-source-origin-search',
  description: 'Lists the origins of active apps, taken from their redirect URIs.',
  stage: {},
  results: '`rows`, each with `client_id` and `origins`; a loopback origin covers all ports.',
  kind: 'silent',
  listen: ({ services }) =>
    async function originSearch(_request, response) {
      const apps = await findRedirects(services.database);
      const rows = apps.map(({ client_id, redirect_uris }) => ({
        client_id,
        origins: [...new Set(parseList(redirect_uris).flatMap((uri) => toOriginKey(uri) ?? []))],
      }));
      response.setError(false).setResults({ rows });
    },
};
