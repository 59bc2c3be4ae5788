import type { Response } from '../../core/response.ts';
import type { Limiter } from '../../plan/feature.ts';
type Turn = ReturnType<Limiter['take']>;
/**
 * Sets the rate limit headers, and refuses with 429 (then gives false) if the limit is reached. `Retry-After`
 * is never before a request is free again.
 *
 * @see draft-ietf-httpapi-ratelimit-headers
 */
export declare function tellTurn(response: Response, limit: number, turn: Turn): boolean;
export {};
