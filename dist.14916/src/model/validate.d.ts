import { type Clock } from '../core/clock.ts';
import type { Messages } from '../core/response.ts';
import type { ColumnModel, SchemaModel } from './model.ts';
export { findRuleFault } from './validate-fault.ts';
export { validators } from './validate-rule.ts';
export type ValidateMode = 'create' | 'update';
export type Values = Record<string, unknown>;
/** Message for a missing required value. */
export declare function toRequiredMessage({ field, label }: ColumnModel): string;
/**
 * Compiles a schema's rules, once per plan.
 *
 * The result validates a stage (raw or coerced; keys are full column names) and gives messages by column: the
 * first broken rule of each, or an empty object. On update it validates only sent columns, and columns
 * compared with them; `stored` has the row's other values. Uniqueness and existence of related rows are left
 * to the database.
 */
export declare function compileValidator(schema: SchemaModel, clock?: Clock): (stage: Readonly<Values>, mode: ValidateMode, stored?: Readonly<Values>) => Messages;
/** Message for a value that another row already has: the rule's own, or the default. */
export declare function toTakenMessage(column: ColumnModel): string;
/** Messages by path, such as `order_lines[0].price`, for lists in a terminal. */
export declare function toFlatMessages(messages: Readonly<Record<string, unknown>>, prefix?: string): Record<string, string>;
/** Message of a failed validation: that of the only invalid field, or the names of all. */
export declare function toInvalidMessage(messages: Readonly<Record<string, unknown>>): string;
