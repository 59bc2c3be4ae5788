import { createRequire } from 'node:module';
import type * as croner from 'croner';

/** A cron pattern in UTC. Times are milliseconds since 1970. */
export interface Cron {
  readonly text: string;
  /** The first time after a time; undefined if there is none. */
  next(after: number): number | undefined;
  /** The last time that is not after a time; undefined if there is none. */
  last(until: number): number | undefined;
}

/** Loaded only by projects with a schedule. */
const load: (name: 'croner') => typeof croner = createRequire(import.meta.url);

/**
 * Compiles a cron pattern: minute, hour, day of month, month, day of week, optionally with seconds before them, or a
 * name such as `@daily`.
 * @throws Error that says what is wrong.
 */
export function compileCron(text: string): Cron {
  const { Cron: Pattern } = load('croner');
  // The library also takes a single date.
  if (/^\s*\d{4}-/.test(text)) throw new Error('A date is not a cron pattern.');
  const pattern = new Pattern(text, { timezone: 'UTC', paused: true });
  return {
    text,
    next: (after) => pattern.nextRun(new Date(after))?.getTime(),
    // Asked for the times before a whole second, the library leaves that second out.
    last: (until) => pattern.previousRuns(1, new Date(until + 1))[0]?.getTime(),
  };
}
