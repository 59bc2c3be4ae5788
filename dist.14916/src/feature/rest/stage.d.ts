import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { CallPlan, Context } from '../../plan/feature.ts';
import type { Actor } from './actor.ts';
/** Fills the stage for a call's event; false if the request was refused. */
export type StageStep = (request: Request, response: Response, actor: Actor) => boolean;
/**
 * Compiles how a call fills the stage. The bus has already added query, body and path parameters, in this
 * order; then come the user's profile and the definition's parameters.
 */
export declare function compileStage(call: CallPlan, context: Context): StageStep;
