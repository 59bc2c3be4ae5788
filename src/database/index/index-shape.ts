/** What an index of `exclude` says besides its columns: the rule that the periods of two rows do not overlap. */
export interface TableExclusion {
  /** Columns whose values must be the same. */
  readonly by: readonly string[];
  readonly from: string;
  readonly until: string;
  /** Primary key. */
  readonly key: string;
  /** PostgreSQL: ranges, of which those of two rows may not all overlap. */
  readonly ranges?: readonly string[];
}

export interface TableIndex {
  readonly name: string;
  readonly columns: readonly string[];
  readonly isUnique: boolean;
  /** PostgreSQL: nulls first, except for the last of several columns, which is a key and has no nulls. */
  readonly isNullsFirst?: boolean;
  /** A partial index: of rows with 1 in this column. */
  readonly only?: string | undefined;
  /** Columns that sort from the last value to the first. */
  readonly descending?: readonly string[];
  /** PostgreSQL: columns whose nulls come before all values, or after them if descending. Default by {@link isNullsFirst}. */
  readonly lowNulls?: readonly string[];
  /** Another condition of a partial index, as SQL. It comes from the model, or from the database's own text. */
  readonly where?: string | undefined;
  /** Columns of {@link where}. */
  readonly tested?: readonly string[];
  /** The rule of `exclude` that it stands for. */
  readonly excludes?: TableExclusion;
}

/** An index that stands for a rule of `exclude`. */
export type RuleIndex = TableIndex & { readonly excludes: TableExclusion };
