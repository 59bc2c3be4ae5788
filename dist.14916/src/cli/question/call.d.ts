import type { Access, Relation, Rest, Schema } from '../../model/shape.ts';
/** Actions on rows, each an event of Treadle's own. */
export declare const ACTIONS: readonly ['search', 'detail', 'create', 'update', 'remove', 'restore', 'link', 'unlink', 'batch'];
export type Action = (typeof ACTIONS)[number];
/** The default actions; others are generated on request. */
export declare const USUAL_ACTIONS: readonly Action[];
export declare const isReading: (action: Action) => boolean;
/** A call that can be generated: an action and, for link and unlink, the relation. */
export interface Wanted {
    readonly action: Action;
    readonly name: string;
    readonly value: Rest;
}
/** The call of an action on a schema, as `rest generate` writes it. */
export declare function toCall(access: Access, schema: Schema, action: Exclude<Action, 'link' | 'unlink'>): Wanted;
/** The call that links or unlinks rows by a declared relation: `…/link/:article_id/comment/:comment_id`. */
export declare function toLinkCall(access: Access, schema: Schema, relation: Relation, more: {
    readonly action: 'link' | 'unlink';
    readonly target: Schema | undefined;
}): Wanted;
