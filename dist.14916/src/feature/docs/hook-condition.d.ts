import type { HookModel } from '../../model/model.ts';
/** A condition on a hook's data, in words: `article_words` "is at least" `100`. */
export interface Condition {
    readonly name: string;
    readonly phrase: string;
    /** As JSON. */
    readonly values: readonly string[];
    /** The word between two values. */
    readonly joint: string;
}
/** The conditions of a hook's filter; all must match. */
export declare function listConditions({ definition }: HookModel): Condition[];
