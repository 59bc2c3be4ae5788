import type { Invocation } from '../spec.ts';
/**
 * Reads a password from a prompt, or from the first line of standard input. It is never a flag, because other users
 * could see it.
 */
export declare function readPassword({ prompt, terminal }: Invocation): Promise<string>;
