import type { CommandSpec, Invocation, Values } from './spec.ts';
/**
 * Asks for missing values, or names the missing flag; then checks every value that has choices. Returns true if it
 * asked.
 */
export declare function complete(spec: CommandSpec, invocation: Invocation): Promise<boolean>;
/** The equivalent command line with flags. */
export declare function toCommandLine(words: readonly string[], spec: CommandSpec, values: Values): string;
/** Quotes a word for a POSIX shell. */
export declare function toQuoted(word: string): string;
