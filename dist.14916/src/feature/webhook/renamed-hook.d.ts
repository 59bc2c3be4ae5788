import type { Context } from '../../plan/feature.ts';
/**
 * Moves the log of renamed hooks to their new names: waiting deliveries are sent, disabled receivers stay
 * disabled, both secrets keep signing, and apps stay subscribed. The receivers' rows come last, so that a
 * killed process can be continued by the next.
 */
export declare function followRenames(context: Context): Promise<void>;
