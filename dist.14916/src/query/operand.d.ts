import { type OperatorName } from './operator.ts';
import type { SourceColumn } from './source-column.ts';
/** A value as the statement binds it, with the operator to use if it changed; or the rule that it breaks. */
export type Operand = {
    readonly value: unknown;
    readonly operator?: OperatorName;
} | {
    readonly fault: string;
};
/** A list: an array as it is, or comma-separated text. */
export declare function toRawList(raw: unknown): unknown[];
/** Parses the value that a request compares a column with. */
export declare function toOperand(raw: unknown, { type, isWhole }: Pick<SourceColumn, 'type' | 'isWhole'>, operator: OperatorName): Operand;
/** The value to compare with JSON: as text, and as number if it is one. */
export type JsonOperand = {
    readonly text: unknown;
    readonly number: unknown;
} | {
    readonly fault: string;
};
/**
 * Parses the value that a request compares a JSON value with; if `hasPath` is false, the items of the column's
 * list.
 */
export declare function toJsonOperand(raw: unknown, operator: OperatorName, hasPath: boolean): JsonOperand;
