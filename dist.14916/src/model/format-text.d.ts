/** Escapes text for HTML. */
export declare const escapeHtml: (text: string) => string;
/** A value as text: lists and objects as JSON, null and undefined as ''. */
export declare function toPlain(value: unknown): string;
/**
 * HTML without its tags, for a line of a list; still to be escaped. A tag ends at the next `<`, which keeps
 * the time linear for a text of only `<`.
 */
export declare const stripTags: (html: string) => string;
/** The first characters of a text, with an ellipsis if it was cut. */
export declare function cutCharacters(text: string, count: number): string;
/** The first words of a text, with an ellipsis if it was cut. */
export declare function cutWords(text: string, count: number): string;
/** Replaces `{{column}}` by the row's values, unescaped. */
export declare const fillTemplate: (template: string, row: Readonly<Record<string, unknown>>) => string;
/** An address for `href` and `src`: relative, http, https, mailto, tel or ftp; else `#`. */
export declare function toSafeAddress(address: string): string;
/** A value as a list: its items, an object's values, parsed JSON text, else the single value. */
export declare function toItems(value: unknown): unknown[];
