import { Request } from '../../core/request.ts';
import { Response } from '../../core/response.ts';
import type { CallPlan, Context } from '../../plan/feature.ts';
import { type Actor } from './actor.ts';
/** Identifies the caller, or answers with a refusal and gives undefined. */
export type Guard = (request: Request, response: Response) => Promise<Actor | undefined> | Actor;
/** True if a call's event is a built-in one that changes data. */
export declare const isChangingEvent: (event: string) => boolean;
/** Compiles the guard of a call. */
export declare function compileGuard(call: CallPlan, context: Context): Guard;
