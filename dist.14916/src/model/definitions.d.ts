import type { Source } from './parse.ts';
import { type DefinitionKind, type DefinitionOf, type Settings } from './shape.ts';
/**
 * The content of `config/`: every definition that could be parsed, by kind and by file name without `.json`.
 */
export type Definitions = {
    readonly [K in DefinitionKind]: ReadonlyMap<string, Source<DefinitionOf[K]>>;
} & {
    readonly settings: Source<Settings>;
    /**
     * `<kind>/<name>` of files that could not be parsed: a reference to them is not reported as another
     * problem.
     */
    readonly broken: ReadonlySet<string>;
};
/** Names of the definitions of a kind: their own, which should equal the file names. */
export declare function toNames(definitions: Definitions, kind: DefinitionKind): string[];
/** True if a definition exists, parsed or broken. */
export declare const hasDefinition: (definitions: Definitions, kind: DefinitionKind, name: string) => boolean;
