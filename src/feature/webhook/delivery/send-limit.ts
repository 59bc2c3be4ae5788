import { type Exchange, leadTo } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';

/**
 * Manual sends per account and minute. Nobody proves ownership of an app's address, and one form sends up
 * to 2000 deliveries: without a limit the log could flood someone else.
 */
const MOST = { one: 60, many: 10 } as const;

/**
 * Counts one manual send against the account's limit. If it is used up, sets a message for the next page
 * and returns false.
 */
export function takeSending(
  { services }: Context,
  exchange: Exchange,
  { owner, kind, path }: { readonly owner: number; readonly kind: keyof typeof MOST; readonly path: string },
): boolean {
  const turn = services.limiter.take(`webhook:send:${kind}:${owner}`, MOST[kind], 60);
  if (turn.isAllowed) return true;
  exchange.response.setError(true, `That is too much at once. Try again in ${Math.max(1, turn.retrySeconds)} seconds.`);
  leadTo(exchange, path, '');
  return false;
}
