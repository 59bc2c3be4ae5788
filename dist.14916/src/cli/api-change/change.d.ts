import type { Json } from '../../model/value-schema.ts';
/** Effect of a change on existing clients: breaks them, may break some, or breaks none. */
export type Level = 'breaking' | 'risky' | 'additive';
/** One difference between two documents of an API. */
export interface Change {
    readonly level: Level;
    /** A fixed code for programs, such as `answer-field-removed`. */
    readonly code: string;
    /** Names of the affected calls and web hooks. */
    readonly calls: readonly string[];
    /** For example `article_title` or `author.name`; empty for the whole call. */
    readonly place: string;
    /** A sentence without the calls' names. */
    readonly message: string;
}
/** Direction of the data: to the API, or from it (and to receivers of hooks). */
export type Direction = 'request' | 'answer';
/** Two documents and the changes found so far. A change that many calls share, through a component, is listed once. */
export declare class Comparison {
    #private;
    readonly before: Json;
    readonly after: Json;
    constructor(before: Json, after: Json);
    /** True if two parts are equal, including everything that they refer to. Most of a document is. */
    isSame(before: unknown, after: unknown): boolean;
    add(call: string, change: Omit<Change, 'calls'>): void;
    /** Most severe first, then by name. */
    list(): Change[];
}
/** True if two parts of a document are equal. */
export declare const isEqual: (a: unknown, b: unknown) => boolean;
/** The target of a reference in its document; any other node itself. */
export declare function follow(document: Json, node: unknown): Json;
