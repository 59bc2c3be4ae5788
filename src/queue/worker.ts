import { apartAsSystem } from '../core/access.ts';
import type { Inline } from './inline.ts';
import { type Notice, notifierOf } from './notify.ts';
import { createPoller, type Poller } from './poll.ts';
import type { Handle, Job, QueueWorker, QueueWorkerOptions } from './queue.ts';
import { type RunningJob, releaseJobs, waitForAll } from './release.ts';
import { restingOf } from './resting.ts';
import type { ResultWriter } from './result-writer.ts';
import { type QueueDeps, runJob } from './run.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { type JobStore, secondsOf } from './table.ts';

/** Lease of a claimed job: after this time another process may take over from a killed one. */
const LEASE_SECONDS = 5;
/** How often leases are renewed while jobs run. */
const BEAT_MS = 1500;
/** Delay after a poll failed because the database was unreachable. */
const FAILED_MS = 1000;
const CONCURRENCY = 256;
const PER_LANE = 16;

interface WorkerDeps extends QueueDeps {
  readonly store: JobStore;
  readonly resultWriter: ResultWriter;
  readonly inline: Inline;
}

/**
 * Claims due jobs and runs them. One claim runs at a time, and only for lanes with due jobs: the notifier
 * announces what this process commits, the poll finds what fell due or came from other processes.
 */
class TableWorker implements QueueWorker {
  readonly #deps: WorkerDeps;
  readonly #store: JobStore;
  readonly #options: QueueWorkerOptions & { readonly name: string };
  readonly #owner: string;
  readonly #scheduler: Scheduler;
  readonly #poller: Poller;
  readonly #unlisten: readonly (() => void)[];
  readonly #underWay = new Map<number, RunningJob>();
  #pumping: Promise<void> | undefined;
  #isCalled = false;
  #isStopped = false;
  #stopping: Promise<void> | undefined;
  #cancelTimer: () => void = () => {};
  #cancelBeat: (() => void) | undefined;

  constructor(deps: WorkerDeps, options: QueueWorkerOptions & { readonly name: string }) {
    const { database, store } = deps;
    this.#deps = deps;
    this.#store = store;
    this.#options = options;
    this.#owner = deps.random(12).toString('base64url');
    const { concurrency = CONCURRENCY, perLane = PER_LANE, isOwn = () => false } = options;
    this.#scheduler = createScheduler({ concurrency, perLane, isOwn, resting: restingOf(database, options.name) });
    this.#poller = createPoller(store);
    const poll = (): void => {
      this.#poller.poll();
      this.#call();
    };
    this.#unlisten = [
      notifierOf(database, options.name).listen((jobs) => this.#notice(jobs)),
      database.listen(options.name, poll),
    ];
    this.#pumping = this.#begin().finally(() => this.#rest());
  }

  /** Learns before the first call which lanes fail. */
  async #begin(): Promise<void> {
    try {
      this.#scheduler.distrust((await this.#options.findFailing?.()) ?? []);
    } catch (error) {
      this.#deps.log.error('queue.receivers.unread', { error });
    }
    this.#isCalled = true;
  }

  wake(): void {
    this.#poller.walk();
    this.#call();
  }

  #notice(jobs: readonly Notice[]): void {
    const now = secondsOf(this.#deps.clock);
    const due = jobs.filter((job) => (job.dueAt ?? now) <= now);
    this.#scheduler.add(due.map((job) => job.lane));
    for (const { dueAt } of jobs) if (dueAt !== undefined && dueAt > now) this.#poller.expect(dueAt);
    this.#call();
  }

  #call(): void {
    if (this.#isStopped) return;
    this.#isCalled = true;
    // In no scope: the caller that notifies may be answering a request or hold a transaction.
    this.#pumping ??= apartAsSystem(() => this.#pump()).finally(() => this.#rest());
  }

  #rest(): void {
    this.#pumping = undefined;
    if (this.#isCalled) this.#call();
  }

  async #pump(): Promise<void> {
    this.#cancelTimer();
    const { clock, log } = this.#deps;
    let delay = FAILED_MS;
    try {
      while (this.#isCalled && !this.#isStopped) {
        this.#isCalled = false;
        const { lanes, isMore } = await this.#poller.find(secondsOf(clock));
        this.#scheduler.add(lanes);
        if ((await this.#claim()) || isMore) this.#isCalled = true;
      }
      delay = this.#poller.next() * 1000 - clock.now();
    } catch (error) {
      log.error('queue.claim.failed', { error });
      this.#poller.walk();
    }
    if (this.#isStopped) return;
    this.#cancelTimer = clock.after(Math.max(0, delay), () => {
      this.#poller.poll();
      this.#call();
    });
  }

  /** Starts as many jobs as allowed; true if there may be more. */
  async #claim(): Promise<boolean> {
    const wanted = this.#isStopped ? undefined : this.#scheduler.choose(this.#deps.clock.now());
    if (wanted === undefined || wanted.size === 0) return false;
    const now = secondsOf(this.#deps.clock);
    const lease = { owner: this.#owner, now, seconds: LEASE_SECONDS };
    let claimed: Job[] = [];
    try {
      claimed = await this.#deps.resultWriter.share(() => this.#store.claim(wanted, lease));
    } catch (error) {
      this.#scheduler.add(wanted.keys());
      throw error;
    }
    // After a clock jump this worker's own leases look expired. Jobs that it still runs only get a new
    // lease.
    const fresh = claimed.filter((job) => !this.#underWay.has(job.id));
    if (this.#isStopped) {
      const ids = fresh.map((job) => job.id);
      if (ids.length > 0) await this.#deps.database.write(() => this.#store.release(ids, this.#owner, now));
      return false;
    }
    const [found, startedAt] = [new Map<string, number>(), this.#deps.clock.now()];
    for (const { lane } of fresh) found.set(lane, (found.get(lane) ?? 0) + 1);
    for (const [lane, requested] of wanted) this.#scheduler.took(lane, requested, found.get(lane) ?? 0, startedAt);
    // The lane may have more jobs behind those that already run here.
    if (fresh.length < claimed.length) this.#scheduler.add(claimed.map((job) => job.lane));
    for (const job of fresh) this.#start(job, startedAt);
    return claimed.length > 0;
  }

  #start(job: Job, startedAt: number): void {
    const abort = new AbortController();
    const handle: Handle = async (own, signal) => {
      try {
        return await this.#options.handle(own, signal);
      } finally {
        this.#scheduler.answered(job.lane, startedAt, this.#deps.clock.now());
      }
    };
    const task = { job, owner: this.#owner, handle, signal: abort.signal };
    const promise = runJob(this.#deps, this.#deps.resultWriter, task).then(
      ({ retryAt, isFailed = retryAt !== undefined, restSeconds = 0 }) => {
        this.#underWay.delete(job.id);
        this.#scheduler.ended(job.lane, isFailed);
        if (restSeconds > 0) this.#scheduler.rest(job.lane, this.#deps.clock.now() + restSeconds * 1000);
        if (retryAt !== undefined) this.#poller.expect(retryAt);
        this.#call();
      },
    );
    this.#underWay.set(job.id, { lane: job.lane, promise, abort });
    this.#cancelBeat ??= this.#deps.clock.after(BEAT_MS, () => this.#beat());
  }

  /**
   * Renews leases by id. A job that was claimed but never received, because the answer got lost, becomes
   * due again by itself.
   */
  #beat(): void {
    this.#cancelBeat = undefined;
    if (this.#underWay.size === 0) return;
    const { clock, resultWriter, log } = this.#deps;
    const lease = { owner: this.#owner, now: secondsOf(clock), seconds: LEASE_SECONDS };
    const ids = [...this.#underWay.keys()];
    resultWriter
      .share(() => this.#store.extend(ids, lease))
      .catch((error: unknown) => log.error('queue.lease.failed', { error }));
    this.#cancelBeat = clock.after(BEAT_MS, () => this.#beat());
  }

  hurry(): Promise<void> {
    this.#deps.inline.end();
    return this.stop();
  }

  async idle(): Promise<void> {
    while (this.#pumping || this.#underWay.size > 0) {
      await this.#pumping;
      await waitForAll(this.#underWay);
    }
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#isStopped = true;
    for (const unlisten of this.#unlisten) unlisten();
    this.#cancelTimer();
    await this.#pumping;
    const { inline, ...deps } = this.#deps;
    await Promise.all([
      releaseJobs({ ...deps, name: this.#options.name }, this.#owner, this.#underWay),
      // Jobs that a caller waits for must end too when the process exits.
      inline.stop(),
    ]);
    this.#cancelBeat?.();
  }
}

/** Creates a worker for a queue in a table. It runs until stopped. */
export function createQueueWorker(
  deps: WorkerDeps,
  options: QueueWorkerOptions & { readonly name: string },
): QueueWorker {
  return new TableWorker(deps, options);
}
