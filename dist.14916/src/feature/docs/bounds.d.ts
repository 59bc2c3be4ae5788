import type { Json } from '../../model/value-schema.ts';
/** The bounds of a value in a few words each: `at least 1`, `at most 255 characters`. */
export declare function listBounds(schema: Json): string[];
