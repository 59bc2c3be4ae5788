import type { OperatorName } from '../../model/filter/operator.ts';

/** A condition without its value. */
export interface NotedFilter {
  /** Of the column; of a related one with its relation, such as `comment.comment_detail`. */
  readonly name: string;
  readonly operator: OperatorName;
  /** Whether it is a plain column of the searched table, which an index can hold. */
  readonly isOwn: boolean;
  /** Whether a role's rule or the owner brings it, not the search. */
  readonly isRule: boolean;
}

/** A column of the sort. */
export interface NotedSort {
  readonly name: string;
  readonly isDescending: boolean;
  readonly isOwn: boolean;
}

/** What a statement asks, by names alone: it holds no value of a search, which may be personal. */
export interface SearchNote {
  readonly schema: string;
  /** `rows`: a page. `total`: its count. `groups`: sums and counts. `detail`: one row. `related`: a list that a row shows. */
  readonly kind: 'rows' | 'total' | 'groups' | 'detail' | 'related';
  readonly filters: readonly NotedFilter[];
  /** Without the key that every sort ends with. */
  readonly sort: readonly NotedSort[];
  readonly hasWords: boolean;
  /** Whether removed rows are left out. */
  readonly isActive: boolean;
}
