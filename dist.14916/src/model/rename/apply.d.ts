import type { Definitions } from '../definitions.ts';
import { type DefinitionKind, type DefinitionOf, type FileKind } from '../shape.ts';
import { type See } from './mention.ts';
import type { Renames } from './renames.ts';
/** A definition to write; without a value its file is removed. */
export interface RenameChange {
    readonly kind: FileKind;
    readonly name: string;
    readonly value: unknown;
    /** Former name, if the file is renamed. */
    readonly from?: string;
}
export interface Renamed {
    readonly changes: readonly RenameChange[];
    readonly definitions: Definitions;
    /** Renamed columns, keys and lists. */
    readonly renames: Renames;
}
/** A renamed definition. */
export interface NameChange {
    readonly kind: DefinitionKind;
    readonly from: string;
    readonly to: string;
}
/** Replaces one definition of a kind at its position, possibly under another name. */
export declare function replaceDefinition<K extends DefinitionKind>(definitions: Definitions, kind: K, name: string, value: DefinitionOf[K], to?: string): Definitions;
/** Replaces the names in every definition with the results of `see`. */
export declare function replaceAll(definitions: Definitions, see: See): Definitions;
/** The differences in `after`, file by file; a renamed file has its former name. */
export declare function listChanges(before: Definitions, after: Definitions, moved: readonly NameChange[]): RenameChange[];
type Was = string | string[] | undefined;
/**
 * The names that data may still have, latest first: one database may have been migrated since the last
 * rename, another not. Without the current name.
 */
export declare function toWas(before: Was, from: string, to: string): Was;
/** A value with a key, or without it if there is no part. */
export declare function withKey<T extends object, K extends keyof T>(value: T, key: K, part: T[K] | undefined): T;
/** Replaces a label that was made from the name; a label that somebody chose stays. */
export declare const toLabel: (label: string, made: string, fresh: string) => string;
/** Renames definitions, and the entries in every list that names them. */
export declare function moveNames(definitions: Definitions, moved: readonly NameChange[]): Definitions;
export {};
