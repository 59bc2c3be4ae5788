import { type MainOptions } from '../main.ts';
/**
 * The start command of Treadle's own repository: creates the demo blog if it is missing, with its sample rows, and
 * serves it until it is stopped.
 *
 * @param folder Default: `demo`, which git ignores.
 */
export declare function startDemo(folder?: string, options?: MainOptions): Promise<number>;
