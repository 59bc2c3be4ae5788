import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { CallPlan } from '../../plan/feature.ts';
/** Compiles the headers for caching, deprecation and sunset from the call's definition. */
export declare function compileLifecycleHeaders(call: CallPlan): (request: Request, response: Response) => void;
