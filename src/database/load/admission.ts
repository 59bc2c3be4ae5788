import { ClientGone } from '../../core/client-gone.ts';
import type { Clock } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import type { Log } from '../../core/log/log.ts';
import type { Caller } from '../../core/scope.ts';
import { toNetwork } from '../../core/text/network.ts';
import { FairQueue, type QueueItem } from './fair-queue.ts';
import { type CostedRead, ReadCosts } from './read-cost.ts';

/** 0: no search, such as a row by its key. 1: a search that proved cheap. 2: a costly read, or a search that has not run yet. */
export type Rank = 0 | 1 | 2;

/** A read that waits or runs. The admission stores its own fields here to avoid a second object per read. */
export interface PendingRead extends QueueItem, CostedRead {
  /** Undefined for work outside requests, which is neither refused nor cut off. */
  readonly caller: Caller | undefined;
  rank: Rank;
  /** Clock time of its start, without the time by which the process was late. */
  begunAt: number;
  /** Number of the check at which it began to wait, later at which it began to run. */
  since: number;
  /** Why the admission ended it. The database's own error says only that it was interrupted. */
  ended: Error | undefined;
}

export interface AdmissionOptions<T extends PendingRead> {
  readonly clock: Clock;
  readonly log: Log;
  /** Reads that run at once. */
  readonly slots: number;
  /** Costly reads among them; fewer than `slots`, so that other reads never wait for a costly one. */
  readonly costlySlots: number;
  /** Shared reads that run at once, in no slot. Default 0: each takes a slot. */
  readonly shared?: number;
  /** Milliseconds that a read of a request may wait, and then run. */
  readonly limit: () => number;
  /** Milliseconds from which a read is slow. */
  readonly slow: { readonly least: number };
  begin(read: T): void;
  /** Rejects a waiting read; `ended` has the reason. */
  refuse(read: T): void;
  /** Interrupts a running read, perhaps after several tries; undefined if the database cannot. */
  readonly cancel?: (read: T) => void;
}

/**
 * Figures of the reads, for operators; `refused`, `dropped` and `cut` count from the start of the process.
 */
export interface ReadFigures {
  readonly running: number;
  readonly waiting: number;
  /** Answered with 503 because too many reads waited. */
  readonly refused: number;
  /** Ended because the client had disconnected. */
  readonly dropped: number;
  /** Ended after `limits.readSeconds`. */
  readonly cut: number;
}

/** Milliseconds between two checks of running and waiting reads. */
const LOOK_MS = 100;
/** Checks after which a running search counts as costly, whatever its estimate. */
const COSTLY_LOOKS = 2;
/** Maximum of waiting reads, however cheap: each holds a request in memory. */
const MOST_WAITING = 4000;
/** Milliseconds between two log lines about refused reads. */
const TELL_MS = 10_000;
const MOST_RETRY_SECONDS = 30;

const isGone = ({ caller }: PendingRead): boolean => caller?.isDone === false && caller.socket?.destroyed === true;
const isBound = ({ caller }: PendingRead): boolean => caller?.isDone === false;

function refusedError(seconds: number): TreadleError {
  return new TreadleError('DATABASE_READS_TOO_MANY', 'Too many reads are waiting.', {
    status: 503,
    headers: { 'retry-after': String(seconds) },
    hint: 'Try again after Retry-After. Expensive searches wait for each other: index the filtered and sorted fields.',
    isCounted: true,
  });
}

function cutError(milliseconds: number): TreadleError {
  return new TreadleError(
    'DATABASE_READ_LONG',
    `A read took longer than ${milliseconds / 1000} s (limits.readSeconds).`,
    {
      status: 503,
      headers: { 'retry-after': String(MOST_RETRY_SECONDS) },
      hint: 'Request less at once, make the filtered and sorted fields "filterable" and "sortable", or raise limits.readSeconds.',
    },
  );
}

/**
 * Decides which reads run. Each rank has its own line, and client networks take turns. If the waiting reads would
 * take too long, the network with the largest backlog loses its newest read. With no backlog a read starts at once.
 */
export class Admission<T extends PendingRead> {
  readonly #options: AdmissionOptions<T>;
  readonly #costs = new ReadCosts();
  /** A few at most. Not a Set: the garbage collector would keep many that ended. */
  readonly #running: T[] = [];
  /** By rank: running reads, waiting reads, and the maximum of running reads of that rank and higher ranks. */
  readonly #counts: [number, number, number] = [0, 0, 0];
  readonly #lines: readonly [FairQueue<T>, FairQueue<T>, FairQueue<T>] = [
    new FairQueue(),
    new FairQueue(),
    new FairQueue(),
  ];
  readonly #slots: readonly [number, number, number];
  readonly #mostShared: number;
  /** Running reads that share a connection. */
  #shared = 0;
  readonly #count = { refused: 0, dropped: 0, cut: 0, toldAt: 0, told: 0 };
  #looks = 0;
  #isLooking = false;
  /** Clock time of the next check, and milliseconds by which checks came late: this process was busy, not the database. */
  #due = Number.POSITIVE_INFINITY;
  #late = 0;

  constructor(options: AdmissionOptions<T>) {
    this.#options = options;
    const { slots, costlySlots } = options;
    // Searches leave one slot free: some cost more than their estimate.
    this.#slots = [slots, slots > 2 ? slots - 1 : slots, costlySlots];
    this.#mostShared = options.shared ?? 0;
  }

  get figures(): ReadFigures {
    const { refused, dropped, cut } = this.#count;
    return { running: this.#running.length, waiting: this.#waiting, refused, dropped, cut };
  }

  get #waiting(): number {
    return this.#lines[0].size + this.#lines[1].size + this.#lines[2].size;
  }

  enter(read: T): void {
    this.#costs.find(read);
    read.cost = this.#costs.estimate(read);
    read.rank = this.#costs.isCostly(read) ? 2 : read.about.guess > 0 ? 1 : 0;
    read.since = this.#looks;
    if (this.#hasRoom(read.rank)) this.#begin(read);
    else this.#wait(read);
  }

  #hasRoom(rank: Rank): boolean {
    if (this.#running.length - this.#shared >= this.#slots[0]) return false;
    if (rank === 0 && this.#shared > 0 && this.#shared >= this.#mostShared) return false;
    const costly = this.#counts[2];
    if (rank === 2 && costly >= this.#slots[2]) return false;
    return rank === 0 || this.#counts[1] + costly < this.#slots[1];
  }

  #begin(read: T): void {
    this.#running.push(read);
    this.#counts[read.rank] += 1;
    if (this.#isShared(read)) this.#shared += 1;
    read.since = this.#looks;
    if (!this.#isLooking) this.#lookLater();
    read.begunAt = this.#calm();
    this.#options.begin(read);
  }

  #isShared({ about }: T): boolean {
    return about.isShared === true && this.#mostShared > 0;
  }

  /** Clock time without the time by which this process was late: it learns late that a read has ended. */
  #calm(): number {
    const now = this.#options.clock.now();
    return now - this.#late - Math.max(now - this.#due, 0);
  }

  /**
   * Must be called when a read has ended, successfully or not.
   *
   * @returns The milliseconds that it ran, at least 1, if that was slow; else 0.
   */
  leave(read: T): number {
    this.#running.splice(this.#running.indexOf(read), 1);
    this.#counts[read.rank] -= 1;
    if (this.#isShared(read)) this.#shared -= 1;
    // Limited, so that a clock jump does not distort the estimate.
    const took = Math.min(Math.max(this.#calm() - read.begunAt, 0), this.#options.limit());
    const isWhole = !(read.ended instanceof ClientGone);
    if (isWhole) this.#costs.note(read, took, this.#looks);
    if (this.#waiting > 0) this.#pump();
    return isWhole && took >= this.#options.slow.least ? Math.max(took, 1) : 0;
  }

  #pump(): void {
    for (;;) {
      const read = this.#next();
      if (read === undefined) return;
      if (isGone(read)) this.#drop(read);
      else this.#begin(read);
    }
  }

  /** At least one costly read and one other search run, however many reads by key arrive. */
  #next(): T | undefined {
    return (
      (this.#counts[2] === 0 ? this.#shift(2) : undefined) ??
      (this.#counts[1] === 0 && this.#slots[1] < this.#slots[0] ? this.#shift(1) : undefined) ??
      this.#shift(0) ??
      this.#shift(1) ??
      this.#shift(2)
    );
  }

  #shift(rank: Rank): T | undefined {
    const line = this.#lines[rank];
    return line.size > 0 && this.#hasRoom(rank) ? line.shift() : undefined;
  }

  #wait(read: T): void {
    if (isGone(read)) {
      this.#drop(read);
      return;
    }
    const { limit } = this.#options;
    const line = this.#lines[read.rank];
    const parallel = this.#slots[read.rank];
    line.push(isBound(read) ? toNetwork(read.caller?.address ?? '') : '', read);
    if (!this.#isLooking) this.#lookLater();
    if (line.milliseconds / parallel <= limit() && line.size <= MOST_WAITING) return;
    const last = line.dropLargest();
    if (last !== undefined) this.#refuse(last, line.milliseconds / parallel);
  }

  #refuse(read: T, milliseconds: number): void {
    if (!isBound(read)) {
      // Work outside requests starts at once: there is little of it, and no client would retry it.
      this.#begin(read);
      return;
    }
    this.#count.refused += 1;
    this.#tell();
    const seconds = Math.min(Math.max(Math.ceil(milliseconds / 1000), 1), MOST_RETRY_SECONDS);
    read.ended = refusedError(seconds);
    this.#options.refuse(read);
  }

  #tell(): void {
    const { clock, log } = this.#options;
    const count = this.#count;
    const now = clock.now();
    if (Math.abs(now - count.toldAt) < TELL_MS) return;
    log.warn('reads are refused', {
      code: 'DATABASE_READS_TOO_MANY',
      ...this.figures,
      refused: count.refused - count.told,
    });
    count.toldAt = now;
    count.told = count.refused;
  }

  #drop(read: T): void {
    this.#count.dropped += 1;
    read.ended = new ClientGone();
    this.#options.refuse(read);
  }

  #lookLater(): void {
    const { clock } = this.#options;
    this.#isLooking = true;
    this.#due = clock.now() + LOOK_MS;
    clock.after(LOOK_MS, () => this.#look());
  }

  /** Ends reads that run or wait too long, and reads for clients that left. */
  #look(): void {
    const { clock, limit, slots } = this.#options;
    this.#late += Math.max(clock.now() - this.#due, 0);
    this.#due = Number.POSITIVE_INFINITY;
    this.#looks += 1;
    const most = limit() / LOOK_MS;
    for (const read of [...this.#running]) this.#watch(read, most);
    for (const line of this.#lines) {
      for (const read of line.dropWhere(isGone)) this.#drop(read);
      const late = line.dropWhere((read) => isBound(read) && this.#looks - read.since > most);
      for (const read of late) this.#refuse(read, line.milliseconds / slots);
    }
    this.#isLooking = false;
    if (this.#running.length > 0 || this.#waiting > 0) this.#lookLater();
  }

  #watch(read: T, most: number): void {
    const { cancel, limit } = this.#options;
    if (read.rank === 1 && this.#looks - read.since >= COSTLY_LOOKS) {
      // It runs long, so it takes a costly slot.
      this.#counts[1] -= 1;
      this.#counts[2] += 1;
      read.rank = 2;
    }
    if (cancel === undefined) return;
    if (read.ended === undefined) {
      if (isGone(read)) {
        this.#count.dropped += 1;
        read.ended = new ClientGone();
      } else if (isBound(read) && this.#looks - read.since > most) {
        this.#count.cut += 1;
        read.ended = cutError(limit());
      }
    }
    // Repeated at each check: a cancel may arrive before the read has started.
    if (read.ended !== undefined) cancel(read);
  }
}
