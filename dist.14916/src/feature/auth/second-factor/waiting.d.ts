import type { Request } from '../../../core/request.ts';
import type { Context } from '../../../plan/feature.ts';
import type { AuthRow } from '../sql.ts';
import type { Pair } from './factors.ts';
/** The account that {@link passSecondStep} refused for want of the second step only. */
export declare function takeWaiting(request: Request): AuthRow | undefined;
/**
 * Whether a request with the right password has the second step too: a trusted browser, or a right `auth_code` in the
 * stage. Refuses otherwise, so that a project's own login never takes the password for enough.
 */
export declare function passSecondStep(context: Context, auth: AuthRow, pair: Pair): Promise<boolean>;
