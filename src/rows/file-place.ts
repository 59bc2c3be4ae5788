import { memoize } from '../core/memoize.ts';
import type { Database } from '../database/database.ts';

/** Files of rows that one person fetches at once: each holds the rows that its reader has not taken yet. */
export const MOST_FILES = 3;
const findRunning = memoize((_database: Database) => new Map<number, number>());

/**
 * Takes a place for a file of rows; undefined if the person fetches {@link MOST_FILES} already. It is taken before the
 * first row is read, so that a refusal costs nothing. The function gives it back.
 */
export function takeFilePlace(database: Database, authId: number): (() => void) | undefined {
  const running = findRunning(database);
  const count = running.get(authId) ?? 0;
  if (count >= MOST_FILES) return undefined;
  running.set(authId, count + 1);
  let isTaken = true;
  return () => {
    if (!isTaken) return;
    isTaken = false;
    const left = (running.get(authId) ?? 1) - 1;
    if (left > 0) running.set(authId, left);
    else running.delete(authId);
  };
}
