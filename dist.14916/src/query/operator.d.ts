import { type RawBuilder } from 'kysely';
import type { Dialect } from '../database/database.ts';
import type { SourceColumn } from './source-column.ts';
/** A placeholder in a compiled statement: each run binds its own value. */
export declare class Slot {
    readonly index: number;
    constructor(index: number);
}
export type Fragment = RawBuilder<unknown>;
/**
 * How an operator's value is parsed: `one`, a `list` (bound as one JSON text), a `flag` (1 or 0), a `part` of a
 * text.
 */
export type Takes = 'one' | 'list' | 'flag' | 'part';
declare const OPERATORS: {
    readonly eq: "one";
    readonly ne: "one";
    readonly lt: "one";
    readonly lte: "one";
    readonly gt: "one";
    readonly gte: "one";
    readonly has: "one";
    readonly in: "list";
    readonly nin: "list";
    readonly contains: "part";
    readonly starts: "part";
    readonly ends: "part";
    readonly null: "flag";
};
/** Names of operators with one value; `between` becomes `gte` and `lte`. */
export type OperatorName = keyof typeof OPERATORS;
export declare const operators: Readonly<Record<OperatorName, Takes>>;
export { OPERATOR_NAMES } from '../model/operator-names.ts';
/** Escapes text for LIKE, so that `%` and `_` match themselves. */
export declare const escapeLike: (text: string) => string;
type ItemType = SourceColumn['type'] | 'whole';
export declare const toItemType: ({ type, isWhole }: SourceColumn) => ItemType;
/** Tests membership in a JSON list that is bound as one parameter, however long. */
export declare function isListed(value: Fragment, slot: Slot, dialect: Dialect, type: ItemType): Fragment;
export declare const matches: (text: Fragment, slot: Slot, dialect: Dialect) => Fragment;
/** The SQL sign (`=`, `<`, …); undefined for the other operators. */
export declare function toSign(operator: OperatorName): Fragment | undefined;
