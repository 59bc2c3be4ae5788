/** Maximum nesting of a stored value. */
export declare const MAX_DEPTH = 32;
/**
 * Maximum keys of a value, as JSON in a body or in a text: each costs as much as a hundred characters of
 * text.
 */
export declare const MAX_KEYS = 20000;
export declare const isBlank: (value: unknown) => boolean;
export declare const isRecord: (value: unknown) => value is Record<string, unknown>;
/**
 * Measures nesting and number of keys of JSON text without parsing it: the parser itself accepts a million
 * levels.
 */
export declare function measureJson(text: string): {
    readonly depth: number;
    readonly keys: number;
};
/** Parses text that starts like JSON; invalid JSON stays text. */
export declare function readJson(value: unknown): unknown;
/** True if a value is nested at most this deep. */
export declare function isShallow(value: unknown, depth?: number): boolean;
/** True if a value is JSON nested at most this deep: no dates, no bytes, nothing undefined. */
export declare function isJson(value: unknown, depth?: number): boolean;
/**
 * Encodes as JSON without unsafe keys (such as `__proto__` or `toString`), which JSON within text may contain.
 */
export declare function encodeJson(value: unknown): string | null;
/**
 * True if a value contains a text that a database cannot store: with U+0000, or with half a surrogate pair.
 */
export declare function isUnstorable(value: unknown): boolean;
/** The references (`$ref`) in a JSON document, at any depth. */
export declare function listRefs(node: unknown): Generator<string>;
