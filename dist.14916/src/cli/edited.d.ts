import { type Change } from '../edit/change.ts';
import type { Definitions } from '../model/definitions.ts';
import type { DefinitionKind, DefinitionOf } from '../model/shape.ts';
import type { Invocation, Outcome } from './spec.ts';
/** A definition that a command changes, and all others. @throws CLI_USAGE if no file defines it. */
export declare function readEdited<K extends DefinitionKind>(invocation: Invocation, kind: K, name: string): Promise<{
    readonly definitions: Definitions;
    readonly value: DefinitionOf[K];
}>;
/** @throws CLI_DEFINITION_EXISTS if a file or a web hook of the project's code has the name. */
export declare function refuseTaken(invocation: Invocation, definitions: Definitions, kind: DefinitionKind, name: string): Promise<void>;
interface Told {
    readonly data?: object;
    readonly lines?: readonly string[];
    readonly advice?: readonly string[];
    readonly next: readonly string[];
}
/** Writes a definition, and prints advice on it. @throws ProblemsError if it would be invalid. */
export declare function saveDefinition(invocation: Invocation, change: Change & {
    readonly kind: DefinitionKind;
}, { data, lines, advice: own, next }: Told): Promise<Outcome>;
export {};
