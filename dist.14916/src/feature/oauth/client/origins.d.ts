import type { Request } from '../../../core/request.ts';
import type { Response } from '../../../core/response.ts';
import type { Context } from '../../../plan/feature.ts';
/** The origin of a browser address, without the port for loopback; undefined for other addresses. */
export declare const toOriginKey: (uri: string) => string | undefined;
/**
 * Lets a public client's page read the response (CORS), for its exact origin and without credentials: such
 * an app runs in the browser and has no other way to its tokens.
 */
export declare function markOrigin({ services }: Context, request: Request, response: Response): Promise<void>;
