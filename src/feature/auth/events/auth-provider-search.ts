import { toStamp } from '../../../core/clock.ts';
import { listProviders } from '../../../model/provider.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { NOBODY } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';
import { listLinks } from '../provider/sql.ts';

export const authProviderSearch: EventContribution = {
  name: 'auth-provider-search',
  description: 'Lists the providers by which an account signs in.',
  stage: { auth_id: 'The account, or use `auth_slug`.', auth_slug: 'Its e-mail address.' },
  results:
    '`rows` with `link_id`, `provider`, `label`, `email`, `created` and `used` (times), and `is_set`: whether the settings still have the provider.',
  kind: 'silent',
  listen:
    ({ services: { database }, plan }) =>
    async (request, response) => {
      const auth = await findSelectedAuth(database, request);
      if (!auth) return response.refuse(NOBODY);
      const providers = listProviders(plan.model.settings);
      const rows = (await listLinks(database, auth.auth_id)).map((link) => ({
        link_id: link.link_id,
        provider: link.provider,
        label: providers.get(link.provider)?.label ?? link.provider,
        email: link.email,
        created: toStamp(Number(link.created_at) * 1000),
        used: toStamp(Number(link.used_at) * 1000),
        is_set: providers.has(link.provider),
      }));
      response.succeed({ rows });
    },
};
