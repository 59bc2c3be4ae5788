import type { Emitted } from '../core/bus.ts';
import { Request } from '../core/request.ts';
import { Response } from '../core/response.ts';
import type { Context } from '../plan/feature.ts';
import type { EmitStage } from '../plan/typed-emit.ts';
export interface EmitOptions {
    /** The `auth_id` of the logged-in user. */
    readonly as?: number;
}
/** `emit` of an application. The form with a stage is the first, so that its errors tell which value is wrong. */
export type ApplicationEmit = EmitStage<[options?: EmitOptions]> & ((event: string, request: Request, response: Response) => Promise<Emitted>) & ((event: string) => Promise<Response>);
/** Creates the function that emits an event outside any HTTP request. */
export declare function createStageEmit(current: () => Context): ApplicationEmit;
