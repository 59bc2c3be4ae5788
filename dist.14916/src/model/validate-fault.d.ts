import type { Validation } from './shape.ts';
/** The fault of a definition's rule, worded after `The rule`; undefined if valid. */
export declare function findRuleFault({ method, parameters }: Validation): string | undefined;
