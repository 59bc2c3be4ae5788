import type { Pair } from '../../developer/frame.ts';
import type { Context } from '../../plan/feature.ts';
/**
 * Manual sends per account and minute. Nobody proves ownership of an app's address, and one form sends up
 * to 2000 deliveries: without a limit the log could flood someone else.
 */
declare const MOST: {
    readonly one: 60;
    readonly many: 10;
};
/**
 * Counts one manual send against the account's limit. If it is used up, sets a message for the next page
 * and returns false.
 */
export declare function takeSending({ services }: Context, pair: Pair, { owner, kind, path }: {
    readonly owner: number;
    readonly kind: keyof typeof MOST;
    readonly path: string;
}): boolean;
export {};
