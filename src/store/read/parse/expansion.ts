import type { RelationModel } from '../../../model/model.ts';
import type { SourceColumn } from '../source/source.ts';
import type { Branch } from './branch.ts';

/** A relation whose rows `expand` adds, and what it adds to these rows in turn. */
export interface Expansion {
  readonly relation: RelationModel;
  /** Names of the columns that its rows show; undefined: all. */
  readonly fields: readonly string[] | undefined;
  readonly inner: readonly Expansion[];
}

/** What `expand` and `fields` ask for. */
export interface RowContent {
  /** Columns of the rows themselves; undefined: all. */
  readonly fields: readonly SourceColumn[] | undefined;
  readonly expand: readonly Expansion[];
  /** Parts of trees. */
  readonly branches: readonly Branch[];
}
