import { currentScope } from '../core/scope.ts';
import { type Bell, bellOf } from './bell.ts';
import { createLanes, type Lanes } from './lane.ts';
import type { Job, QueueWorker, QueueWorkerOptions } from './queue.ts';
import { type QueueDeps, runJob } from './run.ts';
import { type JobStore, secondsOf } from './table.ts';

/** Another process may take over what a killed one had after this time. */
const LEASE_SECONDS = 5;
/** Leases are prolonged this often while something is under way. */
const BEAT_MS = 1500;
/** What other processes enqueue is seen at the latest after this time. */
const POLL_MS = 2000;
const GRACE_MS = 3000;
const CONCURRENCY = 256;
const PER_LANE = 16;

/**
 * Claims what is due and does it: woken by what this process commits, by the next due time, and now and then for what
 * other processes enqueue. One claim runs at a time.
 */
class TableWorker implements QueueWorker {
  readonly #deps: QueueDeps;
  readonly #store: JobStore;
  readonly #options: QueueWorkerOptions;
  readonly #owner: string;
  readonly #lanes: Lanes;
  readonly #perLane: number;
  readonly #underWay = new Map<number, { readonly promise: Promise<void>; readonly abort: AbortController }>();
  readonly #bell: Bell;
  readonly #deafen: () => void;
  #pumping: Promise<void> | undefined;
  #isCalled = false;
  #isStopped = false;
  /** Unix seconds of the last look for due jobs. */
  #lookedAt = 0;
  #cancelTimer: () => void = () => {};
  #cancelBeat: (() => void) | undefined;

  constructor(deps: QueueDeps, store: JobStore, options: QueueWorkerOptions & { readonly name: string }) {
    this.#deps = deps;
    this.#store = store;
    this.#options = options;
    this.#owner = deps.random(12).toString('base64url');
    this.#perLane = options.perLane ?? PER_LANE;
    this.#lanes = createLanes({ concurrency: options.concurrency ?? CONCURRENCY, perLane: this.#perLane });
    this.#bell = bellOf(deps.database, options.name);
    this.#deafen = this.#bell.hear(() => this.wake());
    this.wake();
  }

  wake(): void {
    if (this.#isStopped) return;
    this.#isCalled = true;
    // In no scope: who rings the bell may be answering a request or hold a transaction.
    this.#pumping ??= currentScope
      .run({}, () => this.#pump())
      .finally(() => {
        this.#pumping = undefined;
        if (this.#isCalled) this.wake();
      });
  }

  async #pump(): Promise<void> {
    this.#cancelTimer();
    let delay = POLL_MS;
    try {
      while (this.#isCalled && !this.#isStopped) {
        this.#isCalled = false;
        if (await this.#claim()) this.#isCalled = true;
      }
      // From the time of the last look, so that what fell due since is not slept over.
      const next = this.#isStopped ? undefined : await this.#store.findNextDue(this.#lookedAt);
      if (next !== undefined) delay = Math.min(delay, next * 1000 - this.#deps.clock.now());
    } catch (error) {
      this.#deps.log.error('queue.claim.failed', { error });
    }
    if (!this.#isStopped) this.#cancelTimer = this.#deps.clock.after(Math.max(0, delay), () => this.wake());
  }

  /** Starts what may be started; true where something was. */
  async #claim(): Promise<boolean> {
    const now = secondsOf(this.#deps.clock);
    this.#lookedAt = now;
    if (this.#lanes.free <= 0) return false;
    const due = await this.#store.findDue(now, this.#perLane);
    const waiting = due.filter((job) => !this.#underWay.has(job.id));
    const chosen = this.#lanes.choose(waiting);
    if (chosen.length === 0) return false;
    const ids = chosen.map((job) => job.id);
    const lease = { owner: this.#owner, now, seconds: LEASE_SECONDS };
    const claimed = await this.#deps.database.write(() => this.#store.claim(ids, lease));
    if (this.#isStopped) {
      await this.#deps.database.write(() => this.#store.extend(lease, true));
      return false;
    }
    for (const job of claimed) this.#start(job);
    return claimed.length > 0;
  }

  #start(job: Job): void {
    const abort = new AbortController();
    const task = { job, owner: this.#owner, handle: this.#options.handle, signal: abort.signal };
    this.#lanes.began(job.lane);
    const promise = runJob(this.#deps, this.#store, task).then((isFailed) => {
      this.#underWay.delete(job.id);
      this.#lanes.ended(job.lane, isFailed);
      this.wake();
    });
    this.#underWay.set(job.id, { promise, abort });
    this.#cancelBeat ??= this.#deps.clock.after(BEAT_MS, () => this.#beat());
  }

  #beat(): void {
    this.#cancelBeat = undefined;
    if (this.#underWay.size === 0) return;
    const lease = { owner: this.#owner, now: secondsOf(this.#deps.clock), seconds: LEASE_SECONDS };
    this.#deps.database
      .write(() => this.#store.extend(lease))
      .catch((error: unknown) => this.#deps.log.error('queue.lease.failed', { error }));
    this.#cancelBeat = this.#deps.clock.after(BEAT_MS, () => this.#beat());
  }

  async idle(): Promise<void> {
    while (this.#pumping || this.#underWay.size > 0) {
      await this.#pumping;
      await Promise.all([...this.#underWay.values()].map((entry) => entry.promise));
    }
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#deafen();
    this.#cancelTimer();
    await this.#pumping;
    await this.#wait();
    this.#cancelBeat?.();
    if (this.#underWay.size === 0) return;
    for (const { abort } of this.#underWay.values()) abort.abort();
    const lease = { owner: this.#owner, now: secondsOf(this.#deps.clock), seconds: LEASE_SECONDS };
    await this.#deps.database.write(() => this.#store.extend(lease, true));
    this.#bell.ring();
  }

  async #wait(): Promise<void> {
    let cancel: () => void = () => {};
    const grace = new Promise<void>((resolve) => {
      cancel = this.#deps.clock.after(GRACE_MS, resolve);
    });
    const done = Promise.all([...this.#underWay.values()].map((entry) => entry.promise));
    await Promise.race([done, grace]);
    cancel();
  }
}

/** Works on a queue that is a table, until it is stopped. */
export function createQueueWorker(
  deps: QueueDeps,
  store: JobStore,
  options: QueueWorkerOptions & { readonly name: string },
): QueueWorker {
  return new TableWorker(deps, store, options);
}
