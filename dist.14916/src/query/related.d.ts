import type { Database, Row } from '../database/database.ts';
import type { RelationModel } from '../model/model.ts';
import { type Fragment } from './operator.ts';
import { type RowTest, type Sight } from './predicate.ts';
import type { Source } from './source.ts';
import { type Masking, type Statement } from './statement.ts';
/** Maximum rows of a list in a detail, and per row in a search. One more is read, to know if the list was cut. */
export declare const DETAIL_ROWS = 1000;
export declare const EXPAND_ROWS = 100;
/** A relation to load for its parent rows. */
export interface RelatedInput {
    readonly relation: RelationModel;
    /** The source of the related schema. */
    readonly target: Source;
    /** True for one parent row, false for a page of rows. */
    readonly isOne: boolean;
    /** The related rows, and the rows joined to them, that the caller may see. Their values follow slot 0. */
    readonly rows: RowTest | undefined;
    readonly sight: Sight;
}
/** The part of the statement's cache key that depends on the rules: visible columns and rows. */
export declare const toRuleKey: ({ rows, sight, target }: RelatedInput) => string;
/** What the columns of a relation's rows are masked by. */
export declare const toMasking: ({ target, rows, sight }: RelatedInput, { dialect }: Database) => Masking;
/** The `from` and `order by` of related rows: for the parent in slot 0, or for the JSON list of parents there. */
export declare function fromRelated(input: RelatedInput, database: Database): {
    readonly from: Fragment;
    readonly order: Fragment;
};
/** Compiles the query of a relation, for one parent's key or for a JSON list of keys. */
export declare function compileRelated(input: RelatedInput, database: Database): Statement;
/** Key that marks a cut list in a row: there are more related rows than it shows. */
export declare const toMoreName: ({ name }: RelationModel) => string;
export declare const isList: ({ kind }: RelationModel) => boolean;
/** One row's relation as loaded: an object or null, a list, or a list of rows that are still JSON texts. */
export interface Related {
    readonly value: unknown;
    readonly texts?: readonly string[];
    /** True if the list was cut. */
    readonly hasMore: boolean;
}
/** Loads a relation of one row. `key` is the row's own key; for 1:0 the foreign key. */
export declare function loadOne(input: RelatedInput, statement: Statement, key: unknown, { database, ruleValues }: {
    readonly database: Database;
    readonly ruleValues: readonly unknown[];
}): Promise<Related>;
/** Adds a relation to each row of a page, under the relation's name. */
export declare function loadMany(input: RelatedInput, statement: Statement, rows: readonly Row[], more: {
    readonly database: Database;
    readonly keyColumn: string;
    readonly ruleValues: readonly unknown[];
}): Promise<void>;
