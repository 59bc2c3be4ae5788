import type { Pair } from '../../plan/developer-frame.ts';
import type { Context } from '../../plan/feature.ts';
import { leadTo } from './developer-page.ts';

/**
 * What an account may send by hand a minute: nobody proves that an app's address is his, and one form sends up to 2000
 * deliveries, so without a limit the log would be a way to flood somebody else.
 */
const MOST = { one: 60, many: 10 } as const;

/** Takes one of an account's turns to send one delivery or many; false, told on the next page, where it has none left. */
export function takeSending(
  { services }: Context,
  pair: Pair,
  { owner, kind, path }: { readonly owner: number; readonly kind: keyof typeof MOST; readonly path: string },
): boolean {
  const turn = services.limiter.take(`webhook:send:${kind}:${owner}`, MOST[kind], 60);
  if (turn.isAllowed) return true;
  pair.response.setError(true, `That is too much at once. Try again in ${Math.max(1, turn.retrySeconds)} seconds.`);
  leadTo(pair, path, '');
  return false;
}
