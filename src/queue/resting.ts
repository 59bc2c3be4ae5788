import { memoize } from '../core/memoize.ts';
import type { Database } from '../database/database.ts';

/** Lanes that a receiver asked to pause, and until when, in milliseconds of the site's clock. Past times may still be listed. */
export type RestingLanes = Map<string, number>;

const findRestingLanes = memoize((_database: Database) => new Map<string, RestingLanes>());

/** The resting lanes of a queue in this process, one list per database: a new plan's worker keeps to those of the old one. */
export function restingOf(database: Database, queue: string): RestingLanes {
  const lanes = findRestingLanes(database);
  const resting: RestingLanes = lanes.get(queue) ?? new Map<string, number>();
  lanes.set(queue, resting);
  return resting;
}
