import type { Contribution, Facts } from '../plan/feature.ts';

/**
 * What a feature contributes to the admin section. It is nothing without profiles, because nobody can log in. A project's
 * page for every path does not answer in place of its routes.
 */
export function contributeToAdmin({ model }: Facts, { routes = [], ...rest }: Contribution): Contribution {
  if (!model.schemas.has('profile')) return {};
  return { ...rest, routes: routes.map((route) => ({ ...route, isFirst: true })) };
}
