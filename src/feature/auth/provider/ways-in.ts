import { listProviders } from '../../../model/provider.ts';
import type { Context } from '../../../plan/feature.ts';
import { type AuthRow, hasPassword } from '../sql.ts';
import type { LinkRow } from './sql.ts';

/** How many ways into an account these links leave, with its password and its passkeys. A provider that the settings lack opens nothing. */
export function countWaysIn({ plan, services }: Context, auth: AuthRow, links: readonly LinkRow[]): number {
  const providers = listProviders(plan.model.settings);
  const open = links.filter(
    ({ provider }) => providers.has(provider) && services.providerSecret(provider) !== undefined,
  );
  const hasPasskey = auth.auth_second_factor.split(',').includes('passkey');
  return open.length + (hasPassword(auth) ? 1 : 0) + (hasPasskey ? 1 : 0);
}
