/** What a job leaves behind besides its own end: rows that jobs which end at the same time write together. */
export interface Entry {
  /** The same for all entries that are written by one call. */
  readonly write: (items: readonly unknown[]) => Promise<void>;
  readonly item: unknown;
  /** How many rows, more or less: what is written together is bounded by it. */
  readonly weight: number;
}

/**
 * Makes entries of one sort.
 *
 * @param write Writes the rows of many, inside the transaction that ends their jobs.
 */
export function createEntries<T>(write: (items: readonly T[]) => Promise<void>): (item: T, weight?: number) => Entry {
  // Entries of this sort are made below only, so what comes back is what was put in.
  const writeAll = (items: readonly unknown[]): Promise<void> => write(items as readonly T[]);
  return (item, weight = 1) => ({ write: writeAll, item, weight });
}
