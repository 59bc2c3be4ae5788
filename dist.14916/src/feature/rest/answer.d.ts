import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { CallPlan, Context } from '../../plan/feature.ts';
/** Completes the answer after the event: status, `Location`, `Link`, caching. */
export type AnswerStep = (request: Request, response: Response) => void;
/** Compiles the answer step of a call. */
export declare function compileAnswer(call: CallPlan, context: Context): AnswerStep;
