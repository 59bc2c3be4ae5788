import type { Problem } from '../core/errors.ts';
import { type DefinitionOf, type FileKind } from './shape.ts';
/** A definition with its file and text. */
export interface Source<T> {
    /** Path relative to the project's root, with forward slashes. */
    readonly file: string;
    readonly text: string;
    readonly value: T;
}
export type Parsed<T> = {
    readonly source: Source<T>;
    readonly problems: readonly [];
} | {
    readonly source: undefined;
    readonly problems: readonly Problem[];
};
/** Parses the text of a definition file. The value is as written; only settings get their defaults. */
export declare function parseDefinition<K extends FileKind>(kind: K, file: string, text: string): Parsed<DefinitionOf[K]>;
