import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { CallPlan, Context } from '../../plan/feature.ts';
import type { Actor } from './actor.ts';
/** Does a call's work, unless it is refused or need not be done. */
export type Perform = (actor: Actor, request: Request, response: Response, work: () => Promise<unknown>) => Promise<unknown>;
/** Compiles the HTTP features of a call: content negotiation, idempotency keys, preconditions and 304. */
export declare function compileMiddleware(call: CallPlan, context: Context): Perform;
