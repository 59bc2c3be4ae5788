import type { Clock } from '../core/clock.ts';
/** A helper as Handlebars calls it: the arguments, then its options. */
type Helper = (this: unknown, ...parameters: unknown[]) => unknown;
/** The helpers of every template. Handlebars escapes their results like any value. */
export declare function createHelpers(clock: Clock): Readonly<Record<string, Helper>>;
export {};
