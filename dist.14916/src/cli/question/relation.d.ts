import { type Relation, type RelationKind } from '../../model/shape.ts';
import type { Prompt } from '../prompt.ts';
export declare function parseRelationKind(kind: string): RelationKind;
/** Parses `schema=kind[,name[,rule]]`. */
export declare function parseRelation(text: string): Relation;
/** A relation as the value of its flag. */
export declare const toRelationText: ({ schema, kind, name, onRemove }: Relation) => string;
/** The relation in words: "an article has many comments". */
export declare function toSentence(source: string, relation: Relation): string;
/** The relation from the other end, in words: "a comment belongs to at most one article". */
export declare function toReverseSentence(source: string, target: string, relation: Relation): string;
export interface RelationQuestion {
    readonly prompt: Prompt;
    /** Name and label of the declaring schema. */
    readonly source: {
        readonly name: string;
        readonly singular: string;
    };
    /** Names of the project's schemas. */
    readonly schemas: readonly string[];
    readonly relations: readonly Relation[];
}
/** Asks for relations until the user stops. */
export declare function askRelations(question: RelationQuestion): Promise<Relation[]>;
/** Asks for kind, name and removal rule. */
export declare function askRelation(schema: string, question: RelationQuestion): Promise<Relation>;
