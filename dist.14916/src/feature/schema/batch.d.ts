import type { Response } from '../../core/response.ts';
import { type Stage } from './stage.ts';
/** Maximum number of operations in one batch. */
export declare const MOST_OPERATIONS = 100;
export declare const BATCH_ACTIONS: readonly ['create', 'update', 'remove', 'restore'];
type BatchAction = (typeof BATCH_ACTIONS)[number];
/** One checked change of a batch. */
export interface Operation {
    readonly action: BatchAction;
    /** Undefined on create. */
    readonly id: number | undefined;
    readonly values: Stage;
}
/**
 * Reads the operations of a batch. If any is invalid, sets every fault on the response by its place and gives
 * undefined.
 */
export declare function readOperations(given: unknown, response: Response): Operation[] | undefined;
export {};
