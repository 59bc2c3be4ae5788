import type { Entry } from './entry.ts';

/** Work to do later: a kind and the id of its subject. The queue knows nothing else about it. */
export interface JobRef {
  readonly kind: string;
  /**
   * Id of the row that the job is about. Kind and payload identify a job: enqueuing it again only brings it
   * forward.
   */
  readonly payload: string;
}

export interface NewJob extends JobRef {
  /** Group that jobs may hold up, such as one receiver. Lanes take turns, and a failing lane is throttled. */
  readonly lane: string;
  /** Unix seconds before which it is not started. Default now. */
  readonly dueAt?: number;
}

export interface Job extends NewJob {
  readonly id: number;
  readonly dueAt: number;
}

/** Result of a job. */
export interface Outcome {
  /** Unix seconds at which to try again; without it the job is done. */
  readonly retryAt?: number;
  /** Whether to throttle the lane. Default: true if there is a `retryAt`. */
  readonly isFailed?: boolean;
  /**
   * Seconds for which this process pauses the lane's other jobs because the receiver asked for it. Default
   * 0.
   */
  readonly restSeconds?: number;
  /** Rows that commit with the end of the job. Not written if another process took the job over. */
  readonly entry?: Entry;
  /** Called once it is saved, such as to log it: nothing that it does keeps the outcome from being saved. */
  readonly saved?: () => void;
}

/**
 * Runs a job. At least once: a job whose process was killed runs again.
 * @param signal Aborted when the job returns to the queue.
 */
export type Handle = (job: Job, signal: AbortSignal) => Promise<Outcome>;

export interface QueueWorkerOptions {
  readonly handle: Handle;
  /** Jobs that run at once in this process. Default 256. */
  readonly concurrency?: number;
  /** Jobs of one lane that run at once in this process. Default 16; reached step by step. */
  readonly perLane?: number;
  /**
   * Lanes that are known to fail. Called once before the first job, so that a new process need not find out
   * itself.
   */
  readonly findFailing?: () => Promise<readonly string[]>;
  /** Whether a lane calls no outside receiver: it is then never throttled as slow. Default: no lane. */
  readonly isOwn?: (lane: string) => boolean;
}

export interface QueueWorker {
  wake(): void;
  /**
   * Like {@link QueueWorker.stop}, when the process is about to exit: {@link Queue.runNow} starts nothing
   * more, so that its callers can be answered.
   */
  hurry(): Promise<void>;
  /** Waits up to 3 s for running jobs, {@link Queue.runNow} included. The rest returns to the queue. */
  stop(): Promise<void>;
  /** Resolves when nothing is running and nothing is due. */
  idle(): Promise<void>;
}

export interface QueueFigures {
  /** Unfinished jobs, including those to retry later. */
  readonly depth: number;
  /** Due jobs without a claim. */
  readonly waiting: number;
  /** Jobs that run in any process now. */
  readonly underWay: number;
  /** Seconds for which the oldest due job has waited; 0 if none waits. */
  readonly waitSeconds: number;
}

/** Jobs that commit with the data. */
export interface Queue {
  /** Adds jobs, within the open transaction if there is one. Workers wake after the commit. */
  enqueue(jobs: readonly NewJob[]): Promise<void>;
  work(options: QueueWorkerOptions): QueueWorker;
  /** Counts the jobs in the queue. */
  measure(): Promise<QueueFigures>;
  /**
   * Runs jobs in this process at once, whether due or not, in parallel: started in order, 64 at a time for
   * all calls together. Skips jobs that a worker has claimed. A job that fails, or gets no turn before the
   * lease would end, stays in the queue. Never throws for an error of a handler.
   * @param leaseSeconds Seconds after the start of a job at which others may take it over.
   */
  runNow(jobs: readonly JobRef[], handle: Handle, leaseSeconds: number): Promise<void>;
}
