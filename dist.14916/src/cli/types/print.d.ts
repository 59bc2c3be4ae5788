/** One member of an interface. */
export interface Member {
    readonly name: string;
    readonly type: string;
    readonly isOptional?: boolean;
    readonly isReadonly?: boolean;
    readonly description?: string | undefined;
}
/** A text as a TypeScript literal, in single quotes. */
export declare const toLiteral: (text: string) => string;
/** Literals as a union; `never` for none. */
export declare const toUnion: (texts: readonly string[]) => string;
/** A member name in an interface: quoted unless it is an identifier. */
export declare const toKey: (name: string) => string;
/** A comment on one line; nothing for an empty text. A definition's text cannot end the comment. */
export declare function toComment(text: string | undefined, indent?: string): string[];
export interface InterfaceText {
    readonly name: string;
    readonly members: readonly Member[];
    readonly base?: string;
    readonly description?: string | undefined;
}
export declare function printInterface({ name, members, base, description }: InterfaceText): string;
/** A definition's name as a TypeScript type: `blog-post` becomes `BlogPost`. */
export declare function toTypeName(name: string): string;
/** A unique type name for each: `blog-post` and `blogPost` would both be `BlogPost`. */
export declare function toTypeNames(names: Iterable<string>): Map<string, string>;
