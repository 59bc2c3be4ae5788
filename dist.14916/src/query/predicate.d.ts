import type { Access, RowPredicate } from '../core/access.ts';
import type { Dialect } from '../database/database.ts';
import { type Condition } from './condition.ts';
import type { Fragment } from './operator.ts';
import type { Source } from './source.ts';
/** A parsed predicate. Its values are part of the statement's values. */
export interface RowTest {
    readonly table: string;
    readonly primary: string;
    /** Conditions that all must hold. */
    readonly all: readonly Condition[];
    /** Alternatives: all conditions of at least one list must hold. Undefined if there are no alternatives. */
    readonly anyOf: readonly (readonly Condition[])[] | undefined;
    /** True if no row matches. */
    readonly isVoid: boolean;
    /** Columns that a row shows only if it matches one of these lists of conditions. */
    readonly masks: ReadonlyMap<string, readonly (readonly Condition[])[]>;
    /** Predicates with the same key have the same SQL text. */
    readonly key: string;
}
/** What is needed to parse a predicate. */
export interface PredicateInput {
    readonly source: Source;
    readonly dialect: Dialect;
    /** The statement's values; the predicate's are appended. */
    readonly values: unknown[];
}
/** Parses a predicate; undefined if it holds for every row. @throws ACCESS_RULE_INVALID */
export declare function parsePredicate(rows: RowPredicate | undefined, input: PredicateInput): RowTest | undefined;
/** The predicate as SQL on a table with the alias `t`. */
export declare function toRowTest({ all, anyOf, isVoid }: RowTest, dialect: Dialect): Fragment;
/** As {@link isReached}; undefined if every row matches. */
export declare const findReached: (key: Fragment, test: RowTest | undefined, dialect: Dialect) => Fragment | undefined;
/**
 * Tests whether a row shows a column; undefined if every row does.
 *
 * @param key The row's primary key, for a table with another alias than `t`.
 */
export declare function toMask(test: RowTest | undefined, column: string, dialect: Dialect, key?: Fragment): Fragment | undefined;
/** The predicates that limit related rows, by schema. Empty without rules. */
export type Sight = ReadonlyMap<string, RowTest>;
export declare const WHOLE_SIGHT: Sight;
/** Which related rows and columns the caller may see. */
export type SeeRelated = NonNullable<Access['related']>;
/** Parses the predicates of related schemas. */
export declare function parseSight(schemas: Iterable<string>, see: SeeRelated | undefined, input: Omit<PredicateInput, 'source'> & {
    readonly source: (schema: string) => Source;
}): Sight;
/** The part of the statement's cache key that depends on the sight. */
export declare function toSightKey(sight: Sight): string;
