/** A place in a text; both numbers start at 1. */
interface Place {
    readonly line: number;
    readonly column: number;
}
type Path = readonly (string | number)[];
interface JsonFault extends Place {
    readonly message: string;
}
/** Parsed JSON with the places of its parts, so that a problem can name a line. */
export interface JsonText {
    readonly value: unknown;
    readonly fault: JsonFault | undefined;
    /** Where the value at a path (for a property: its key) begins; for a missing path, its nearest parent. */
    findPlace(path: Path): Place;
}
/** Reads strict JSON (RFC 8259). Invalid text gives a fault with its line and column; so does a key that appears twice. */
export declare function parseJsonText(given: string): JsonText;
/** A path as problems print it: `fields[2].type`. */
export declare function printPath(path: readonly PropertyKey[]): string;
export {};
