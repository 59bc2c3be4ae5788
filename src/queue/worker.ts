import { currentScope } from '../core/scope.ts';
import { type Bell, bellOf, type Rung } from './bell.ts';
import { createLanes, type Lanes } from './lane.ts';
import { createLookout, type Lookout } from './lookout.ts';
import type { Job, QueueWorker, QueueWorkerOptions } from './queue.ts';
import { type QueueDeps, runJob } from './run.ts';
import type { Settler } from './settle.ts';
import { type JobStore, secondsOf } from './table.ts';

/** Another process may take over what a killed one had after this time. */
const LEASE_SECONDS = 5;
/** Leases are prolonged this often while something is under way. */
const BEAT_MS = 1500;
/** A look that failed, since the database could not be reached, is repeated after this time. */
const FAILED_MS = 1000;
const GRACE_MS = 3000;
/** What was told to end, and is being written down, is waited for this long. */
const ABORT_MS = 1000;
const CONCURRENCY = 256;
const PER_LANE = 16;

interface WorkerDeps extends QueueDeps {
  readonly store: JobStore;
  readonly settler: Settler;
}

interface UnderWay {
  readonly lane: string;
  readonly promise: Promise<void>;
  readonly abort: AbortController;
}

/**
 * Claims what is due and does it. One claim runs at a time, and only for lanes that are known to have something due:
 * the bell tells of what this process commits, the lookout of what fell due or came from elsewhere.
 */
class TableWorker implements QueueWorker {
  readonly #deps: WorkerDeps;
  readonly #store: JobStore;
  readonly #options: QueueWorkerOptions & { readonly name: string };
  readonly #owner: string;
  readonly #lanes: Lanes;
  readonly #lookout: Lookout;
  readonly #bell: Bell;
  readonly #deafen: readonly (() => void)[];
  readonly #underWay = new Map<number, UnderWay>();
  #pumping: Promise<void> | undefined;
  #isCalled = false;
  #isStopped = false;
  #cancelTimer: () => void = () => {};
  #cancelBeat: (() => void) | undefined;

  constructor(deps: WorkerDeps, options: QueueWorkerOptions & { readonly name: string }) {
    const { database, store } = deps;
    this.#deps = deps;
    this.#store = store;
    this.#options = options;
    this.#owner = deps.random(12).toString('base64url');
    const { concurrency = CONCURRENCY, perLane = PER_LANE } = options;
    this.#lanes = createLanes({ concurrency, perLane });
    this.#lookout = createLookout(store);
    this.#bell = bellOf(database, options.name);
    const look = (): void => {
      this.#lookout.look();
      this.#call();
    };
    this.#deafen = [this.#bell.hear((jobs) => this.#hear(jobs)), database.listen?.(options.name, look) ?? (() => {})];
    this.#pumping = this.#begin().finally(() => this.#rest());
  }

  /** Before anything is sent: whom not to trust with many places. */
  async #begin(): Promise<void> {
    try {
      this.#lanes.distrust((await this.#options.findFailing?.()) ?? []);
    } catch (error) {
      this.#deps.log.error('queue.failing.unknown', { error });
    }
    this.#isCalled = true;
  }

  wake(): void {
    this.#lookout.walk();
    this.#call();
  }

  #hear(jobs: readonly Rung[]): void {
    const now = secondsOf(this.#deps.clock);
    const due = jobs.filter((job) => (job.dueAt ?? now) <= now);
    this.#lanes.add(due.map((job) => job.lane));
    for (const { dueAt } of jobs) if (dueAt !== undefined && dueAt > now) this.#lookout.expect(dueAt);
    this.#call();
  }

  #call(): void {
    if (this.#isStopped) return;
    this.#isCalled = true;
    // In no scope: who rings the bell may be answering a request or hold a transaction.
    this.#pumping ??= currentScope.run({}, () => this.#pump()).finally(() => this.#rest());
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
        const { lanes, isMore } = await this.#lookout.find(secondsOf(clock));
        this.#lanes.add(lanes);
        if ((await this.#claim()) || isMore) this.#isCalled = true;
      }
      delay = this.#lookout.next() * 1000 - clock.now();
    } catch (error) {
      log.error('queue.claim.failed', { error });
      this.#lookout.walk();
    }
    if (this.#isStopped) return;
    this.#cancelTimer = clock.after(Math.max(0, delay), () => {
      this.#lookout.look();
      this.#call();
    });
  }

  /** Starts what may be started; true where there may be more. */
  async #claim(): Promise<boolean> {
    const wanted = this.#isStopped ? undefined : this.#lanes.choose();
    if (wanted === undefined || wanted.size === 0) return false;
    const now = secondsOf(this.#deps.clock);
    const lease = { owner: this.#owner, now, seconds: LEASE_SECONDS };
    let claimed: Job[] = [];
    try {
      claimed = await this.#deps.settler.share(() => this.#store.claim(wanted, lease));
    } catch (error) {
      this.#lanes.add(wanted.keys());
      throw error;
    }
    if (this.#isStopped) {
      const ids = claimed.map((job) => job.id);
      if (ids.length > 0) await this.#deps.database.write(() => this.#store.release(ids, this.#owner, now));
      return false;
    }
    const found = new Map<string, number>();
    for (const { lane } of claimed) found.set(lane, (found.get(lane) ?? 0) + 1);
    for (const [lane, asked] of wanted) this.#lanes.took(lane, asked, found.get(lane) ?? 0);
    for (const job of claimed) this.#start(job);
    return claimed.length > 0;
  }

  #start(job: Job): void {
    const abort = new AbortController();
    const task = { job, owner: this.#owner, handle: this.#options.handle, signal: abort.signal };
    const promise = runJob(this.#deps, this.#deps.settler, task).then(
      ({ retryAt, isFailed = retryAt !== undefined }) => {
        this.#underWay.delete(job.id);
        this.#lanes.ended(job.lane, isFailed);
        if (retryAt !== undefined) this.#lookout.expect(retryAt);
        this.#call();
      },
    );
    this.#underWay.set(job.id, { lane: job.lane, promise, abort });
    this.#cancelBeat ??= this.#deps.clock.after(BEAT_MS, () => this.#beat());
  }

  /** Prolongs what is under way, by id: a job that was claimed in vain, its answer lost, becomes due again by itself. */
  #beat(): void {
    this.#cancelBeat = undefined;
    if (this.#underWay.size === 0) return;
    const { clock, settler, log } = this.#deps;
    const lease = { owner: this.#owner, now: secondsOf(clock), seconds: LEASE_SECONDS };
    const ids = [...this.#underWay.keys()];
    settler
      .share(() => this.#store.extend(ids, lease))
      .catch((error: unknown) => log.error('queue.lease.failed', { error }));
    this.#cancelBeat = clock.after(BEAT_MS, () => this.#beat());
  }

  async idle(): Promise<void> {
    while (this.#pumping || this.#underWay.size > 0) {
      await this.#pumping;
      await this.#ended();
    }
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    for (const deafen of this.#deafen) deafen();
    this.#cancelTimer();
    await this.#pumping;
    await this.#wait(GRACE_MS);
    if (this.#underWay.size > 0) await this.#giveBack();
    this.#cancelBeat?.();
  }

  async #giveBack(): Promise<void> {
    const { clock, database, log } = this.#deps;
    for (const { abort } of this.#underWay.values()) abort.abort();
    const left = [...this.#underWay];
    await this.#wait(ABORT_MS);
    try {
      const ids = left.map(([id]) => id);
      await database.write(() => this.#store.release(ids, this.#owner, secondsOf(clock)));
    } catch (error) {
      // They are due again when their leases end.
      log.error('queue.release.failed', { error });
    }
    // The next plan's worker, and other processes.
    this.#bell.ring(left.map(([, { lane }]) => ({ lane })));
    database.announce?.(this.#options.name);
  }

  async #ended(): Promise<void> {
    await Promise.all([...this.#underWay.values()].map((entry) => entry.promise));
  }

  async #wait(milliseconds: number): Promise<void> {
    let cancel: () => void = () => {};
    const grace = new Promise<void>((resolve) => {
      cancel = this.#deps.clock.after(milliseconds, resolve);
    });
    await Promise.race([this.#ended(), grace]);
    cancel();
  }
}

/** Works on a queue that is a table, until it is stopped. */
export function createQueueWorker(
  deps: WorkerDeps,
  options: QueueWorkerOptions & { readonly name: string },
): QueueWorker {
  return new TableWorker(deps, options);
}
