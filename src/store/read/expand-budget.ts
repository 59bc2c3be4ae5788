import type { RelationModel } from '../../model/model.ts';
import { SearchError } from './answer.ts';
import { EXPAND_ROWS, isList } from './source/related.ts';

/** The related rows that `expand` may still bring to the rows of a detail, whose lists are as long as they are. */
export class ExpandBudget {
  readonly #most: number;
  #left: number;

  /** @param most Maximum related rows, `limits.expandRows`. */
  constructor(most: number) {
    this.#most = most;
    this.#left = most;
  }

  /** Refuses a relation of so many rows, before they are read. @throws SEARCH_INVALID (400). */
  check(relation: RelationModel, rows: number): void {
    const wanted = rows * (isList(relation) ? EXPAND_ROWS : 1);
    if (wanted <= this.#left) return;
    const { source, name } = relation;
    const remedy = `Expand fewer relations, or search ${source} with "expand" of ${name}.`;
    const message = `"expand" of ${name} on ${rows} rows of ${source} may bring ${wanted} rows, and ${this.#most} are allowed (limits.expandRows). ${remedy}`;
    throw new SearchError({ expand: message });
  }

  /** Counts rows that were read. */
  take(rows: number): void {
    this.#left -= rows;
  }
}
