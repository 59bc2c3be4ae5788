import type { Definitions } from '../definitions.ts';
import type { Renames } from '../rename/renames.ts';
/**
 * Names that rows no longer have, as renames that change nothing: used to search the project's texts for
 * them.
 */
export declare function toGone(before: Definitions, after: Definitions): Renames;
