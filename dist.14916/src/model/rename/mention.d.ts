import type { DefinitionOf, FileKind, Hook, Rest } from '../shape.ts';
type Path = readonly (string | number)[];
/** What is named. A `word` in a text or a stage may be a column, a relation, or anything else. */
type Subject = 'schema' | 'fieldset' | 'call' | 'scope' | 'hook' | 'field' | 'relation' | 'word' | 'path';
/** A place where a definition names something else. */
export interface Mention {
    readonly subject: Subject;
    readonly name: string;
    readonly path: Path;
    /** Schemas (or the fieldset) with the rows that the place is about; empty if unknown. */
    readonly schemas: readonly string[];
    /** Inside `{{` and `}}`, or in a list of keys: names of relations and computed values count. */
    readonly isExpression: boolean;
    /** The purpose of a `word`: to show, to set a value, or to choose rows. */
    readonly role?: 'show' | 'value' | 'filter';
}
/** Called for each mention; its result replaces the name. */
export type See = (mention: Mention) => string;
/** Schemas that a call or a hook uses. */
export declare const readSchemas: ({ parameters }: Rest | Hook) => string[];
/** The name of a fieldset among the schemas of a place; no schema can have this name. */
export declare const toGroup: (fieldset: string) => string;
/** A definition with the results of `see` as names; the same object if nothing changed. */
export declare function replaceMentions<K extends FileKind>(kind: K, value: DefinitionOf[K], see: See): DefinitionOf[K];
/** Every name in a definition. */
export declare function listMentions<K extends FileKind>(kind: K, value: DefinitionOf[K]): Mention[];
/** True if a rule's parameter means this field, by its own name or its column. */
export declare const isField: (parameter: string, field: string, column: string | undefined) => boolean;
export {};
