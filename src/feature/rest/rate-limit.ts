import type { Response } from '../../core/response.ts';
import type { Limiter } from '../../plan/feature.ts';
import { MESSAGES, refuse } from './errors.ts';

type Turn = ReturnType<Limiter['take']>;

/** Window of the limit in seconds. */
const WINDOW_SECONDS = 60;
const POLICY = 'default';
/** Problem type of a 429. @see draft-ietf-httpapi-ratelimit-headers, section "Problem type" */
const QUOTA = 'https://iana.org/assignments/http-problem-types#quota-exceeded';

/**
 * Sets the rate limit headers, and refuses with 429 (then gives false) if the limit is reached. `Retry-After`
 * is never before a request is free again.
 *
 * @see draft-ietf-httpapi-ratelimit-headers
 */
export function tellTurn(response: Response, limit: number, turn: Turn): boolean {
  const reset = turn.isAllowed ? (turn.resetSeconds ?? WINDOW_SECONDS) : Math.max(1, Math.ceil(turn.retrySeconds));
  response
    .addHeader('ratelimit-policy', `"${POLICY}";q=${limit};w=${WINDOW_SECONDS}`)
    .addHeader('ratelimit', `"${POLICY}";r=${turn.isAllowed ? turn.left : 0};t=${reset}`);
  if (turn.isAllowed) return true;
  response.addHeader('retry-after', String(reset)).set('problem', { type: QUOTA, 'violated-policies': [POLICY] });
  return refuse(response, { status: 429, message: MESSAGES.rate });
}
