/** A row among those below the same row. */
export interface PlacedRow {
  readonly id: number;
  /** Its value of the column that sorts them; null comes first. */
  readonly place: number | null;
}

/** The values that put a row where it shall be. */
export interface Places {
  /** Of the row itself. */
  readonly own: number;
  /** Of the others that need another value, by id. */
  readonly others: ReadonlyMap<number, number>;
}

/** Between two neighbours, so that most moves change one row only. */
const STEP = 10;

/** A whole number between two; undefined if there is none. */
function findBetween(before: PlacedRow | undefined, after: PlacedRow | undefined): number | undefined {
  if (after === undefined) {
    const last = before?.place ?? 0;
    return Number.isSafeInteger(last + STEP) ? last + STEP : undefined;
  }
  // Those without a value come before all others: nothing can stand between two of them.
  if (after.place === null) return undefined;
  const least = before?.place ?? Math.min(0, after.place - 2 * STEP);
  const middle = Math.floor((least + after.place) / 2);
  return middle > least && middle < after.place ? middle : undefined;
}

/**
 * The places of rows once another one stands at an index among them. Where no number is free between its neighbours, all get new
 * ones, in steps.
 *
 * @param rows The others, in their order.
 */
export function findPlaces(rows: readonly PlacedRow[], index: number): Places {
  const between = findBetween(rows[index - 1], rows[index]);
  if (between !== undefined) return { own: between, others: new Map() };
  const others = new Map<number, number>();
  for (const [at, { id, place }] of rows.entries()) {
    const next = (at < index ? at + 1 : at + 2) * STEP;
    if (next !== place) others.set(id, next);
  }
  return { own: (index + 1) * STEP, others };
}
