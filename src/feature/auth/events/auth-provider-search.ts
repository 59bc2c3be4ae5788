import * as z from 'zod';
import { toStamp } from '../../../core/clock.ts';
import { listProviders } from '../../../model/provider.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { accountKeys } from '../account/account-stage.ts';
import { NOBODY } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';
import { listLinks } from '../provider/sql.ts';

export const authProviderSearch = defineEvent({
  name: 'auth-provider-search',
  description: 'Lists the providers by which an account signs in.',
  kind: 'silent',
  stage: () => z.object(accountKeys()),
  results: () =>
    z
      .object({
        rows: z.array(
          z.object({
            link_id: z.number(),
            provider: z.string(),
            label: z.string(),
            email: z.string().nullable(),
            created: z.string(),
            used: z.string(),
            is_set: z.boolean(),
          }),
        ),
      })
      .describe(
        '`rows` with `link_id`, `provider`, `label`, `email`, `created` and `used` (times), and `is_set`: whether the settings still have the provider.',
      ),
  async run(selection, { services: { database }, plan }) {
    const auth = await findSelectedAuth(database, selection);
    if (!auth) return reject(NOBODY);
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
    return { rows };
  },
});
