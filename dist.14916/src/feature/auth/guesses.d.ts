import type { Request } from '../../core/request.ts';
import type { Context } from '../../plan/feature.ts';
export interface Guesser {
    /** E-mail of the account, in stored form. */
    readonly account: string;
    readonly request: Request;
    /** Key of a device or session that the account knows; undefined for a stranger. */
    readonly device?: string | undefined;
}
/**
 * Runs one attempt at an account's password, unless it must wait. An attempt that could not run does not
 * count.
 * @returns The result of the attempt, or the seconds to wait.
 */
export declare function guess(context: Context, guesser: Guesser, attempt: () => Promise<boolean>): Promise<{
    readonly isRight: boolean;
    readonly waitSeconds: number;
}>;
