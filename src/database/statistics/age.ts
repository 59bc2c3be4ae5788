import { isOutdated, LEAST_ROWS, type TableStatistics } from './rule.ts';

/** Seconds in which a running server or PostgreSQL's autovacuum renews statistics; younger ones are nobody's concern. */
const GRACE_SECONDS = 600;

export interface StatisticsAge {
  /** The table with the oldest statistics, of those that have so many rows that it matters. */
  readonly oldest: (TableStatistics & { readonly at: number }) | undefined;
  /** How many tables have statistics that matter. */
  readonly tables: number;
  /** Tables that changed much since their rows were counted, the most written first. */
  readonly outdated: readonly TableStatistics[];
}

/** @param now Unix seconds. */
export function toStatisticsAge(statistics: readonly TableStatistics[], now: number): StatisticsAge {
  const counted = statistics
    .flatMap(({ at, ...one }) => (at === undefined || one.rows < LEAST_ROWS ? [] : [{ ...one, at }]))
    .sort((a, b) => a.at - b.at);
  const outdated = statistics
    .filter((one) => isOutdated(one) && now - (one.at ?? 0) >= GRACE_SECONDS)
    .sort((a, b) => b.written - a.written);
  return { oldest: counted[0], tables: counted.length, outdated };
}
