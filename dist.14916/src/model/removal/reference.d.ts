import type { Definitions } from '../definitions.ts';
import { type Mention } from '../rename/mention.ts';
import { type FileKind } from '../shape.ts';
import { type Lost, type Target } from './target.ts';
/** A place in a definition that refers to the removed target. */
export interface Reference {
    readonly kind: FileKind;
    /** The definition's name. */
    readonly name: string;
    readonly file: string;
    readonly path: readonly (string | number)[];
    readonly line: number;
    readonly mention: Mention;
}
/** True if a mention refers to the target. */
export type Means = (mention: Mention) => boolean;
export declare function createMeans(target: Target, lost: Lost): Means;
/** Every place that refers to the target, without its own file if that is removed completely. */
export declare function findReferences(definitions: Definitions, target: Target): Reference[];
/** A reference as text: `config/rest/x.json:8 parameters.schema`. */
export declare const printReference: ({ file, line, path, mention }: Reference) => string;
