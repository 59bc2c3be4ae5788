import type { Definitions } from '../definitions.ts';
import { type RenameChange } from '../rename/apply.ts';
import { type Target } from './target.ts';
export interface Cascade {
    readonly definitions: Definitions;
    readonly changes: readonly RenameChange[];
    /** The definitions, fields and relations that were removed completely, in order. */
    readonly removed: readonly Target[];
}
/**
 * Removes a target with all references to it. A place that only shows it is shortened (a list of columns, a
 * label). A definition that would allow more without it (a call or hook with a condition on it) is removed
 * completely.
 */
export declare function removeWithReferences(definitions: Definitions, target: Target): Cascade;
