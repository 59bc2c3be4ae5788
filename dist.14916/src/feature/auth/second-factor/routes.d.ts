import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { type Pair } from '../page.ts';
import { type AuthRow } from '../sql.ts';
/** The form of the second step. */
export declare function showStep(context: Context, pair: Pair, auth: AuthRow): Promise<void>;
/** Completes a half-open login after a right second step. */
export declare function finishStep(context: Context, pair: Pair, { auth, target }: {
    readonly auth: AuthRow;
    readonly target: string;
}): Promise<void>;
/** The session waits no more: the time is over, or the password was changed meanwhile. */
export declare function leadToLogin({ request, response }: Pair): void;
export declare const secondFactorRoutes: readonly RouteContribution[];
