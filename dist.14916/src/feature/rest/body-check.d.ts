import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
/** True if the request's body is a merge patch. */
export declare const isPatch: (request: Request) => boolean;
/**
 * Checks that the body of a write has a supported content type and is an object. Answers 415 or 400 instead
 * of silently ignoring what was sent.
 */
export declare function checkBody(request: Request, response: Response): boolean;
