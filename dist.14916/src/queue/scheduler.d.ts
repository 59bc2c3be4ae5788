export interface SchedulerOptions {
    /** Jobs that run at once. */
    readonly concurrency: number;
    /** Jobs of one lane that run at once. */
    readonly perLane: number;
    /** Whether a lane calls no outside receiver: it is then never counted as slow. Default: no lane. */
    readonly isOwn?: (name: string) => boolean;
}
/**
 * Fairness between lanes, in memory. A lane starts with one job, like TCP slow start, so that a hundred
 * receivers that hang take a hundred places and not all. Slow and failing lanes share a limited number of
 * places, whatever they answer: only quick calls free places for others. Times are milliseconds of one
 * clock.
 */
export interface Scheduler {
    /** Adds lanes that may have due jobs. */
    add(names: Iterable<string>): void;
    /** Marks lanes that failed before in another process. */
    distrust(names: Iterable<string>): void;
    /** How many jobs to claim of each lane now, in turn. The lanes stop waiting; see {@link took}. */
    choose(now: number): Map<string, number>;
    /**
     * Records the jobs that were found and start now. A lane that had as many as were asked for may have more
     * and waits again.
     */
    took(name: string, asked: number, found: number, now: number): void;
    /**
     * Records the answer of a call that started at `startedAt`. It keeps its place until {@link ended}, when
     * the result is saved.
     */
    answered(name: string, startedAt: number, now: number): void;
    ended(name: string, isFailed: boolean): void;
    /** Claims nothing of a lane until then; running jobs continue. */
    rest(name: string, until: number): void;
    readonly free: number;
}
export declare function createScheduler(options: SchedulerOptions): Scheduler;
