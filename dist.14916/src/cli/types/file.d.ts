import type { Model } from '../../model/model.ts';
/** File of the types, relative to the project's root; `tsconfig.json` of a project includes all of `app`. */
export declare const TYPES_FILE = "app/treadle.d.ts";
/**
 * The TypeScript of a model: for each schema its row, detail, inputs and search, and their entries in the package's
 * {@link import('../../plan/typed-emit.ts').Schemas}. The same model gives the same bytes.
 */
export declare function printTypes(model: Model): string;
