import type { Model } from '../../model/model.ts';
/**
 * Writes the types again if the file exists and the model has changed.
 *
 * @returns True if it was written.
 */
export declare function refreshTypes(model: Model, root: string): Promise<boolean>;
