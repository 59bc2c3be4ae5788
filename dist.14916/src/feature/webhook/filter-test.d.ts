import type { OperatorName } from '../../query/operator.ts';
import type { SourceColumn } from '../../query/source.ts';
type Test = (value: unknown) => boolean;
/** Compares a column's value; `operand` has the form that a statement would bind. */
export declare function testValue(type: SourceColumn['type'], operator: OperatorName, operand: unknown, raw: unknown): Test;
/** The operand for a value within JSON: as text, and as a number if it is one. */
export interface JsonWanted {
    readonly text: unknown;
    readonly number: unknown;
    readonly raw: unknown;
}
/** Compares a value within JSON. */
export declare function testJson(operator: OperatorName, wanted: JsonWanted): Test;
/** Compares the items of a list: `eq` and `has` need one match. */
export declare function testList(operator: OperatorName, { text, number }: JsonWanted): Test;
export {};
