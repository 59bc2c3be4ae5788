import type { CallPlan, Context } from '../../plan/feature.ts';
import type { Actor } from './actor.ts';
import type { Middleware } from './precondition.ts';
/** Seconds that an answer is kept. */
export declare const KEPT_SECONDS = 86400;
/**
 * Compiles `Idempotency-Key`: a repeated request with the same key gets the same answer, and the work is done
 * once. Only successful answers are kept: a refused request changed nothing, and can be corrected and sent
 * again.
 *
 * @see draft-ietf-httpapi-idempotency-key-header
 */
export declare function compileIdempotency(call: CallPlan, context: Context): ((actor: Actor, ...around: Parameters<Middleware>) => Promise<unknown>) | undefined;
