/**
 * Requirements of a server on its database, by name. `read`: a page can be read from the disk or server.
 * `writer`: a write transaction can begin. `file`: SQLite's file is still the one that was opened.
 * `structure`: the tables fit the plan. `room`: the disk has space.
 */
export const HEALTH_CHECKS = ['read', 'writer', 'file', 'structure', 'room'] as const;
export type HealthCheck = (typeof HEALTH_CHECKS)[number];

/** A failed check. The error is only for the log: it may contain paths and hosts. */
export interface FailedCheck {
  readonly check: HealthCheck;
  readonly error: unknown;
}

/** Runs a check; returns its failure or undefined. */
export async function findFailure(check: HealthCheck, run: () => Promise<unknown>): Promise<FailedCheck[]> {
  try {
    await run();
    return [];
  } catch (error) {
    return [{ check, error }];
  }
}
