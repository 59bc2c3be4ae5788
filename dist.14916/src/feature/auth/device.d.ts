import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { Services } from '../../plan/feature.ts';
import type { AuthRow } from './sql.ts';
/** Key of the request's browser if the account has logged in with it; else undefined. */
export declare function findDevice(services: Services, request: Request, auth: AuthRow | undefined): string | undefined;
/**
 * Marks the browser as known to the account. The cookie grants no access: it only exempts from limits that
 * strangers caused.
 */
export declare function rememberDevice(services: Services, request: Request, response: Response, auth: AuthRow): void;
