import { type DefinitionKind } from '../../model/shape.ts';
import type { KeySpec } from './key.ts';
/** The keys of each kind that flags set: all but its name, and the fields and relations of a schema. */
export declare const KEYS: Readonly<Record<DefinitionKind, readonly KeySpec[]>>;
/** The argument that names a definition: of kinds whose `name` is a label, it is the slug. */
export declare const toNameArgument: (kind: DefinitionKind) => 'name' | 'slug';
interface Examples {
    readonly name: string;
    /** Flags of `update`; the name and flags of a copy; a new name. */
    readonly update: readonly string[];
    readonly copy: string;
    readonly rename: string;
}
/** What the examples in the help of the verbs of every kind use. */
export declare const EXAMPLES: Readonly<Record<DefinitionKind, Examples>>;
export {};
