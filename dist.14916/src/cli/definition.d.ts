import type { ChangedFile } from '../edit/change.ts';
import type { Definitions } from '../model/definitions.ts';
import { type DefinitionKind, type DefinitionOf } from '../model/shape.ts';
import type { Invocation, Outcome } from './spec.ts';
/** Reads the project's definitions; invalid ones are left out. */
export declare function readDefinitions(invocation: Invocation): Promise<Definitions>;
/** A definition by name. @throws CLI_USAGE with a "did you mean" for an unknown name. */
export declare function getDefinition<K extends DefinitionKind>(definitions: Definitions, kind: K, name: string): DefinitionOf[K];
/** @throws CLI_DEFINITION_EXISTS if a file with that name exists. */
export declare function refuseExisting(definitions: Definitions, kind: DefinitionKind, name: string): void;
/** The result of a command that changed definitions. */
export declare function toOutcome(invocation: Invocation, files: readonly ChangedFile[], more?: {
    readonly data?: object;
    readonly lines?: readonly string[];
    readonly next?: readonly string[];
}): Outcome;
