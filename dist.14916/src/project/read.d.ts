import type { Problem } from '../core/errors.ts';
import type { Definitions } from '../model/definitions.ts';
import { type Source } from '../model/parse.ts';
import { type DefinitionOf } from '../model/shape.ts';
export interface ReadProject {
    readonly definitions: Definitions;
    readonly problems: readonly Problem[];
}
/** Reads and parses every definition of a project. Missing settings get their defaults. */
export declare function readProject(root: string): Promise<ReadProject>;
/** The settings of a project without a settings file. */
export declare function defaultSettings(): Source<DefinitionOf['settings']>;
