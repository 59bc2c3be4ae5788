import { Request } from '../../core/request.ts';
import { Response } from '../../core/response.ts';
import type { Context } from '../../plan/feature.ts';
import type { Actor } from './actor.ts';
/**
 * Lets pages of known origins read answers. Never with the browser's credentials, since the API ignores
 * cookies.
 */
export interface Cors {
    /**
     * Allows the request's origin before the caller is known: it is in the settings, or belongs to some app.
     */
    mark(request: Request, response: Response): Promise<void> | undefined;
    /** Withdraws the permission if the origin does not belong to the calling app. */
    hold(response: Response, actor: Actor): void;
    /** Answers a preflight, which does not identify the caller. */
    allow(request: Request, response: Response, methods: readonly string[]): Promise<void>;
}
/**
 * Compiles the allow-lists: `server.cors`, and each app's own. Origins must match completely; `null` never
 * matches.
 */
export declare function compileCors(context: Context): Cors;
