import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { CallPlan, Context } from '../../plan/feature.ts';
/** Runs the rest of a call, or refuses it. */
export type Middleware = (request: Request, response: Response, next: () => Promise<unknown>) => Promise<unknown>;
/**
 * Compiles the check of `If-Match` and `If-None-Match` for a write of one row; undefined for other calls. The
 * check and the change share one transaction, so that only one of several requests with the same version
 * succeeds.
 *
 * @see RFC 9110 sections 13.1.1, 13.1.2, 13.2.2
 */
export declare function compilePrecondition(call: CallPlan, context: Context): Middleware | undefined;
