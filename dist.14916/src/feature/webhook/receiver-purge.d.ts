import type { Context } from '../../plan/feature.ts';
/**
 * Removes receivers that have no delivery in the log and that no hook or app names. A named receiver stays
 * however long it is silent, because its row holds whether it is disabled and which secret it knows.
 * @param before Unix seconds; younger ones stay.
 */
export declare function forgetReceivers(context: Context, before: number): Promise<void>;
