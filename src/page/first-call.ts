import type { CallPlan } from '../plan/feature.ts';

/** The first user call that these scopes list and that needs only the token: the last step of a trial. */
export function findFirstCall(calls: readonly CallPlan[], scopes: readonly string[]): CallPlan | undefined {
  return calls.find(
    ({ definition, parameters, scopes: listed }) =>
      definition.access === 'user' &&
      (definition.method === 'get' || definition.method === 'all') &&
      parameters.length === 0 &&
      listed.some((slug) => scopes.includes(slug)),
  );
}
