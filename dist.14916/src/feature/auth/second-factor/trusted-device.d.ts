import type { Request } from '../../../core/request.ts';
import type { Response } from '../../../core/response.ts';
import type { Database, Row } from '../../../database/database.ts';
import type { Services } from '../../../plan/feature.ts';
import type { AuthRow } from '../sql.ts';
/** Days without a second step on a device. */
export declare const TRUST_DAYS = 30;
/** Whether the request's browser needs no second step for this account; notes the visit. */
export declare function useTrust(services: Services, request: Request, auth: AuthRow): Promise<boolean>;
/** Lets a browser log in without the second step for 30 days. Its token is stored as a hash, and names one account. */
export declare function trust(services: Services, request: Request, response: Response, auth: AuthRow): Promise<void>;
/** The devices of an account that need no second step, the last used first. */
export declare function listTrusted({ database, clock }: Services, authId: number): Promise<Row[]>;
/**
 * Takes the trust from one device of an account, or from all.
 * @returns How many it was taken from.
 */
export declare function dropTrust({ kysely }: Database, authId: number, deviceId?: number): Promise<number>;
