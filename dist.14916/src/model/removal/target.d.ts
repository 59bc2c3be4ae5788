import type { Definitions } from '../definitions.ts';
import type { DefinitionKind, Relation } from '../shape.ts';
/** What to remove: a definition, or a part of a schema or fieldset. */
export type Target = {
    readonly kind: DefinitionKind;
    readonly name: string;
} | {
    readonly kind: 'field';
    readonly owner: 'schema' | 'fieldset';
    readonly of: string;
    readonly name: string;
} | {
    readonly kind: 'relation';
    readonly of: string;
    readonly name: string;
};
export declare const toRelationName: (relation: Relation) => string;
/** Definitions without the target; references to it stay. */
export declare function takeAway(definitions: Definitions, target: Target): Definitions;
/** Keys that rows of each schema no longer have; for a removed schema, all of them. */
export type Lost = ReadonlyMap<string, ReadonlySet<string>>;
export declare function findLost(before: Definitions, after: Definitions): Lost;
