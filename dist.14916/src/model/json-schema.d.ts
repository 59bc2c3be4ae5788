import { type FileKind } from './shape.ts';
/** The JSON Schema (draft 2020-12) of a kind of definition, for editors, generated from its shape. */
export declare function toJsonSchema(kind: FileKind): Record<string, unknown>;
/** The text of a definition: two-space indent, keys in the shape's order, a final newline. */
export declare function printDefinition(kind: FileKind, value: unknown): string;
/** The text of a definition; the old text, byte for byte, if its content is equal. */
export declare function printChanged(kind: FileKind, value: unknown, oldText: string | undefined): string;
