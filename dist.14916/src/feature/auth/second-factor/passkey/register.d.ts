import type { Context } from '../../../../plan/feature.ts';
import type { AuthRow } from '../../sql.ts';
import { type Changed, type Pair } from '../factors.ts';
export declare const NAME_MOST = 100;
/** A name of a passkey without blanks around it, with the messages of what is wrong with it. */
export declare function parseName(value: unknown): {
    readonly name: string;
    readonly fault: string | undefined;
};
/** Adds the stage's `credential` to an account under the stage's `name`. Undefined after a refusal. */
export declare function registerPasskey(context: Context, auth: AuthRow, pair: Pair): Promise<Changed | undefined>;
