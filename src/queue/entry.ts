/** Rows that a job writes when it ends. Jobs that end at the same time write theirs together. */
export interface Entry {
  /** One function for all entries that are written by one call. */
  write(items: readonly unknown[]): Promise<void>;
  readonly item: unknown;
  /** Approximate number of rows; limits how many entries are written together. */
  readonly weight: number;
}

/**
 * Creates entries of one kind.
 * @param write Writes the rows of many entries, inside the transaction that ends their jobs.
 */
export function createEntries<T>(write: (items: readonly T[]) => Promise<void>): (item: T, weight?: number) => Entry {
  return (item, weight = 1) => ({ write, item, weight });
}
