/**
 * Requirements of a server on its database, by name. `read`: a page can be read from the disk or server.
 * `writer`: a write transaction can begin. `file`: SQLite's file is still the one that was opened.
 * `structure`: the tables fit the plan. `room`: the disk has space.
 */
export declare const HEALTH_CHECKS: readonly ['read', 'writer', 'file', 'structure', 'room'];
export type HealthCheck = (typeof HEALTH_CHECKS)[number];
/** A failed check. The error is only for the log: it may contain paths and hosts. */
export interface HealthFault {
    readonly check: HealthCheck;
    readonly error: unknown;
}
/** Runs a check; returns its fault or undefined. */
export declare function findFault(check: HealthCheck, run: () => Promise<unknown>): Promise<HealthFault[]>;
