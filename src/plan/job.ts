import type { Log } from '../core/log/log.ts';
import type { Cron } from './cron.ts';

/** What is known of a run of a job, without the app. */
export interface JobFacts<Data = Readonly<Record<string, unknown>>> {
  /** Names the job in the log and in `treadle job list`. */
  readonly id: number;
  /** The name of the job. */
  readonly name: string;
  /** What was queued. A schedule's is `{ at }`: the time that the run is for, `YYYY-MM-DD HH:MM:SS` in UTC. */
  readonly data: Data;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Aborted when the process stops, and after the job's `seconds`. Pass it to what may take long, such as `fetch`. */
  readonly signal: AbortSignal;
  /** The app's log; adds the job's name, id and attempt to each line. */
  readonly log: Log;
}

/** Of `app.job` and `app.schedule`. */
export interface JobOptions {
  /** Seconds after which an attempt is aborted and counts as failed, 1 to 86400. Default 900. */
  readonly seconds?: number;
}

/** Of `app.queue`. */
export interface QueueOptions {
  /** Seconds until the first attempt, at most a year. Default 0. */
  readonly delay?: number;
  /**
   * At most one job of a name waits with the same key. Another one only brings it forward; what was queued first stays.
   * A job that has started does not count.
   */
  readonly key?: string;
  /** Attempts before it is given up, 1 to 20. Default 5. */
  readonly attempts?: number;
}

/** A job of the project's code. */
export interface JobPlan {
  readonly name: string;
  run(run: JobFacts): unknown;
  readonly seconds: number;
  /** Undefined for a job that only `app.queue` starts. */
  readonly cron: Cron | undefined;
  /** `file:line`. */
  readonly place: string | undefined;
}
