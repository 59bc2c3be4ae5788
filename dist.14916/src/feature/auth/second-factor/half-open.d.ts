import type { Request } from '../../../core/request.ts';
import type { Services } from '../../../plan/feature.ts';
import { type AuthRow } from '../sql.ts';
/**
 * Notes that the first step of a login was right and the second is missing. The session has no `me`, so nothing takes its
 * visitor for a logged-in user.
 */
export declare function openHalf({ clock }: Services, request: Request, auth: AuthRow, target: string): void;
export declare function closeHalf(request: Request): void;
/** The account that waits for the second step in this session, with the path to lead to; undefined if none does. */
export declare function findHalf({ database, clock }: Services, request: Request): Promise<{
    readonly auth: AuthRow;
    readonly target: string;
} | undefined>;
