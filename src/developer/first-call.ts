import type { CallPlan } from '../plan/feature.ts';

/** The first user call that some of these scopes opens and that needs nothing but the token: what a trial ends with. */
export function findFirstCall(calls: readonly CallPlan[], scopes: readonly string[]): CallPlan | undefined {
  return calls.find(
    ({ definition, parameters, scopes: listed }) =>
      definition.access === 'user' &&
      (definition.method === 'get' || definition.method === 'all') &&
      parameters.length === 0 &&
      listed.some((slug) => scopes.includes(slug)),
  );
}
