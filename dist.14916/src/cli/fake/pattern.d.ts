import type { Chance } from './random.ts';
type Make = (chance: Chance) => string;
/** Compiles a generator of texts that match a definition's regular expression; undefined for unsupported syntax. */
export declare function compileMaker(pattern: string): Make | undefined;
export {};
