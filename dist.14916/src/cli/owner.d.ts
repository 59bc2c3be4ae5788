import type { Definitions } from '../model/definitions.ts';
import type { Field, Fieldset, Relation, RelationKind, Schema } from '../model/shape.ts';
/** Something with fields: a schema, or a fieldset. */
export type Owner = {
    readonly name: string;
    readonly words: string;
} & ({
    readonly kind: 'schema';
    readonly value: Schema;
} | {
    readonly kind: 'fieldset';
    readonly value: Fieldset;
});
/**
 * The schema or fieldset with a name; `schema/x` and `fieldset/x` are explicit.
 *
 * @throws CLI_USAGE if neither exists, or both.
 */
export declare function getOwner(definitions: Definitions, word: string): Owner;
/** A field of an owner. @throws CLI_USAGE with a "did you mean" for an unknown name. */
export declare function getField(owner: Owner, name: string): Field;
/** @throws CLI_FIELD_EXISTS if a field of the owner would have the same column. */
export declare function refuseField(owner: Owner, name: string): void;
/** A relation of a schema by its name, and by its kind if one is given. @throws CLI_USAGE if it is missing. */
export declare function getRelation(schema: Schema, name: string, kind?: RelationKind): Relation;
/** @throws CLI_RELATION_EXISTS if the schema has a relation of that name. */
export declare function refuseRelation({ name: schema, relations }: Schema, name: string, hint: string): void;
