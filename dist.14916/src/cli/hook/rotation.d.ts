import type { Invocation } from '../spec.ts';
/**
 * What to warn of before another rotation: two secrets sign at most, so the one from before a rotation that is under way
 * ends at once. The project is not started for it, since that would itself begin the day of a rotation that no server
 * has seen yet.
 *
 * @param by A hook's name, or an app's client id.
 */
export declare function warnOfRotation(invocation: Invocation, by: {
    readonly hook: string;
} | {
    readonly client_id: string;
}): Promise<string[]>;
