import * as z from 'zod';
import { defineEvent } from '../../../plan/event/event.ts';
import { parseList } from '../client/app-row.ts';
import { toOriginKey } from '../client/origins.ts';
import { findRedirects } from '../sql.ts';

export const restSourceOriginSearch = defineEvent({
  name: 'rest-source-origin-search',
  description: 'Lists the origins of active apps, taken from their redirect URIs.',
  kind: 'silent',
  stage: () => z.object({}),
  results: () =>
    z
      .object({ rows: z.array(z.object({ client_id: z.string(), origins: z.array(z.string()) })) })
      .describe('`rows`, each with `client_id` and `origins`; a loopback origin covers all ports.'),
  async run(_stage, { services }) {
    const apps = await findRedirects(services.database);
    const rows = apps.map(({ client_id, redirect_uris }) => ({
      client_id: String(client_id),
      origins: [...new Set(parseList(redirect_uris).flatMap((uri) => toOriginKey(uri) ?? []))],
    }));
    return { rows };
  },
});
