import type { Messages } from '../core/response.ts';
import { type PrepareTools } from './field-kind.ts';
import type { ColumnModel } from './model.ts';
/**
 * Thrown if a value turns out to be invalid while it is prepared, with its message, or those of a fieldset's
 * groups.
 */
export declare class ColumnRefused extends Error {
    readonly name = "ColumnRefused";
    readonly messages: string | Messages;
    constructor(messages: string | Messages);
}
/**
 * Prepares a valid value of a column for storage. Gives a promise only if needed.
 *
 * @throws {@link ColumnRefused}
 */
export declare function prepareColumn(column: ColumnModel, value: unknown, tools: PrepareTools): unknown;
