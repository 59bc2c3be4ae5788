import { TreadleError } from '../core/errors.ts';
/** For `app.emit(event, request)`: a request as stage would be an empty one. */
export declare const createResponseMissing: (event: string) => TreadleError;
