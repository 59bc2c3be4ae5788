import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { CallPlan, Context } from '../../plan/feature.ts';
/** Runs a request's work in one transaction. An error on the response rolls it back. */
export type Unit = <T>(request: Request, response: Response, work: () => Promise<T>) => Promise<T>;
/**
 * Compiles the transaction of a call. On PostgreSQL it runs again after a deadlock, unless project listeners
 * take part.
 */
export declare function compileCallTransaction(call: CallPlan, context: Context): Unit;
