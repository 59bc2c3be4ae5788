/** Whether a key may name data (prototype names and printing methods may not). */
export declare function isSafeKey(key: string | number): boolean;
/**
 * Whether JSON text may contain a key that {@link isSafeKey} refuses. Searching for the names and for escapes
 * that could hide them is faster than checking every parsed key.
 */
export declare const mayHoldUnsafeKey: (json: string) => boolean;
/** Reads a nested own property; undefined if a segment is missing or refused. */
export declare function readPath(root: unknown, path: readonly (string | number)[]): unknown;
/** Writes a nested property and creates missing objects. Returns false if a segment is refused. */
export declare function writePath(root: Record<string, unknown>, path: readonly (string | number)[], value: unknown): boolean;
/** Copies the own enumerable keys of a plain object except prototype names. */
export declare function safeCopy(source: Readonly<Record<string, unknown>>): Record<string, unknown>;
/**
 * A nested store addressed by path segments or by a dotted string.
 * Setters return the registry for chaining. `__proto__`, `constructor` and `prototype` are never path
 * segments: writing through one does nothing, reading through one gives undefined.
 */
export declare class Registry {
    protected readonly data: Record<string, unknown>;
    constructor(data?: Readonly<Record<string, unknown>>);
    /** The value at the path; the whole store for an empty path; undefined if missing. */
    get(...path: (string | number)[]): unknown;
    /** Sets the last argument at the path given by the others. */
    set(...pathAndValue: unknown[]): this;
    remove(...path: (string | number)[]): this;
    /** Whether the path has a value other than null and undefined. */
    exists(...path: (string | number)[]): boolean;
    /** Whether the value is missing or an empty string, list or object. */
    isEmpty(...path: (string | number)[]): boolean;
    getDot(path: string, delimiter?: string): unknown;
    setDot(path: string, value: unknown, delimiter?: string): this;
    removeDot(path: string, delimiter?: string): this;
    isDot(path: string, delimiter?: string): boolean;
    /** Records everything in it; the returned function puts it back, as often as it is called. */
    record(): () => void;
    toJSON(): unknown;
    toString(): string;
}
