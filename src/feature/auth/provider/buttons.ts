import type { Row } from '../../../database/row-statement.ts';
import { listProviders, type ProviderModel } from '../../../model/provider.ts';
import type { Context } from '../../../plan/feature.ts';

/** Providers that can be used: their secret is set. */
const listUsable = ({ plan, services }: Context): readonly ProviderModel[] =>
  [...listProviders(plan.model.settings).values()].filter(({ name }) => services.providerSecret(name) !== undefined);

/** Links to the providers for a page; `target` is where to go afterwards, empty for the home page. */
export function listButtons(context: Context, target: string): readonly Row[] {
  const query = target === '' ? '' : `?redirect_uri=${encodeURIComponent(target)}`;
  return listUsable(context).map(({ name, label }) => ({ name, label, href: `/auth/provider/${name}${query}` }));
}
