/**
 * Sets a property to a list of items that are JSON texts from a database. Reading the property gives an
 * ordinary array, parsed on first access. {@link toJson} writes an unread list without parsing it.
 */
export declare function setJsonList(target: object, key: string, texts: readonly string[]): void;
/** The same for a list that is one JSON text. */
export declare function setJsonText(target: object, key: string, text: string): void;
/** Length of the list at a key, without parsing its items; undefined if it is not a list. */
export declare function findListLength(target: unknown, key: string): number | undefined;
/** Like `JSON.stringify`, but writes unread lists of the value itself without parsing them. */
export declare function toJson(value: unknown): string;
/** JSON text of a successful response, the same for sending and for caching. */
export declare const toEnvelope: (results: unknown) => string;
