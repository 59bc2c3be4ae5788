import type { Entry } from './entry.ts';

/** A piece of work to do later: a kind and the id of what it is about. The queue knows no more of it. */
export interface JobRef {
  readonly kind: string;
  /** Id of the row that the job is about. One job a kind and payload: enqueuing it again only brings it forward. */
  readonly payload: string;
}

export interface NewJob extends JobRef {
  /** Whom it may hold up, such as one receiver: lanes are served in turn, and a failing one is held back. */
  readonly lane: string;
  /** Unix seconds before which it is not started. Default now. */
  readonly dueAt?: number;
}

export interface Job extends NewJob {
  readonly id: number;
  readonly dueAt: number;
}

/** What became of a job. */
export interface Outcome {
  /** Unix seconds at which to try again; without it the job is done. */
  readonly retryAt?: number;
  /** Whether the lane is to be held back. Default: whether there is a `retryAt`. */
  readonly isFailed?: boolean;
  /** Seconds for which this process leaves the other jobs of the lane, as whoever they are for has asked. Default 0. */
  readonly restSeconds?: number;
  /** Rows that commit with the job's own end. Not written where another process took the job over. */
  readonly entry?: Entry;
}

/**
 * Does a job. At least once: a job whose process was killed is handed out again.
 *
 * @param signal Aborted when the job goes back to the queue.
 */
export type Handle = (job: Job, signal: AbortSignal) => Promise<Outcome>;

export interface QueueWorkerOptions {
  readonly handle: Handle;
  /** Jobs under way at once in this process. Default 256. */
  readonly concurrency?: number;
  /** Jobs under way at once of one lane in this process. Default 16; reached step by step. */
  readonly perLane?: number;
  /** Lanes that are known to fail, asked once before the first job: a new process need not learn it anew. */
  readonly findFailing?: () => Promise<readonly string[]>;
  /** Whether a lane waits for nobody outside: it is then never held back for being slow. Default: none does. */
  readonly isOwn?: (lane: string) => boolean;
}

export interface QueueWorker {
  wake(): void;
  /**
   * As {@link QueueWorker.stop}, where the process is about to end: {@link Queue.runNow} begins nothing any more, so that
   * whoever waits for it can be answered.
   */
  hurry(): Promise<void>;
  /** Waits for what is under way, {@link Queue.runNow} included, 3 s at most; what is left then goes back to the queue. */
  stop(): Promise<void>;
  /** Resolves when nothing is under way and nothing is due. */
  idle(): Promise<void>;
}

export interface QueueFigures {
  /** Jobs that are not done, those that are to be tried later among them. */
  readonly depth: number;
  /** Jobs whose time has come and which nobody has taken. */
  readonly waiting: number;
  /** Jobs that a process does now. */
  readonly underWay: number;
  /** Seconds since the time of the job that has waited longest; 0 where none waits. */
  readonly waitSeconds: number;
}

/** Jobs that commit with the data. */
export interface Queue {
  /** Adds jobs, within the open transaction where there is one; workers wake after the commit. */
  enqueue(jobs: readonly NewJob[]): Promise<void>;
  work(options: QueueWorkerOptions): QueueWorker;
  /** How much is in the queue now. */
  measure(): Promise<QueueFigures>;
  /**
   * Does jobs here and now, whenever they are due, side by side, begun in their order and 64 at once for all calls
   * together; those that a worker has already taken are left out. What fails stays in the queue, as does what has not
   * had its turn when the lease would end. Never throws for what a handler throws.
   *
   * @param leaseSeconds So long after a job began others may take it over.
   */
  runNow(jobs: readonly JobRef[], handle: Handle, leaseSeconds: number): Promise<void>;
}
