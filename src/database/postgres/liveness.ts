import type { Clock } from '../../core/clock.ts';

/** Milliseconds between two checks of pending statements. */
const TICK_MILLISECONDS = 200;
/**
 * Checks without an answer before the server is pinged, and checks that it has to answer the ping; together
 * under 2 s. Checks are counted instead of milliseconds, because a busy event loop does not read answers.
 */
const SUSPECT_TICKS = 4;
const PING_TICKS = 5;
/** Checks before a merely slow statement causes another ping. */
const AGAIN_TICKS = 10;
/** A late check counts less: this process was busy, and may not have read an answer. */
const LATE_MILLISECONDS = 200;
const LATE_SHARE = 0.25;

/** A connection in use. */
interface ConnectionUse {
  readonly isBusy: boolean;
  /** Checks since its statement was sent. */
  age: number;
}

/**
 * `answered`: the server responded, even if only to say that it is full. `refused`: the network reports at
 * once that there is none.
 */
export type Answer = 'answered' | 'refused' | 'silent';

export interface LivenessOptions {
  readonly clock: Clock;
  readonly pending: ReadonlySet<ConnectionUse>;
  /** Pings the server on a separate connection; never rejects. */
  readonly ping: () => Promise<Answer>;
  /** Called once when the server stops responding, to reject everything that waits for it. */
  readonly silent: () => void;
  /** Called when it responds again. */
  readonly answering: () => void;
}

/**
 * Detects a server that keeps its connections open but does not answer: stopped, frozen, or behind a cut
 * wire. After a statement has waited a while, it pings on a second connection. If that is answered, or any
 * other connection receives data, the statement is merely slow and continues.
 */
export class Liveness {
  readonly #options: LivenessOptions;
  #isTicking = false;
  #dueAt = 0;
  #isSilent = false;
  #isClosed = false;
  /** The running ping: number of answers counted before it, and checks since. */
  #probe: { readonly answers: number; ticks: number } | undefined;
  #answers = 0;

  constructor(options: LivenessOptions) {
    this.#options = options;
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Records data from the server. */
  received(): void {
    this.#answers += 1;
  }

  /** Starts the checks, which continue while a connection is in use. */
  watch(): void {
    if (this.#isTicking || this.#isClosed) return;
    this.#isTicking = true;
    this.#dueAt = this.#options.clock.now() + TICK_MILLISECONDS;
    this.#options.clock.after(TICK_MILLISECONDS, this.#tick);
  }

  /** A new connection timed out: pings at once. */
  suspect(): void {
    if (this.#probe === undefined && !this.#isSilent) this.#sendProbe();
    this.watch();
  }

  close(): void {
    this.#isClosed = true;
  }

  readonly #tick = (): void => {
    this.#isTicking = false;
    if (this.#isClosed) return;
    this.#look();
    if (this.#isSilent || this.#probe !== undefined || this.#options.pending.size > 0) this.watch();
  };

  #look(): void {
    const share = this.#options.clock.now() - this.#dueAt > LATE_MILLISECONDS ? LATE_SHARE : 1;
    if (this.#probe !== undefined) {
      this.#probe.ticks += share;
      // Reads arrived data before judging: after a busy period a timer may run first.
      if (this.#probe.ticks >= PING_TICKS) setImmediate(this.#judge, this.#probe);
    } else if (this.#isSilent) this.#sendProbe();
    let isLong = false;
    for (const connection of this.#options.pending) {
      if (!connection.isBusy) continue;
      connection.age += share;
      isLong ||= connection.age >= SUSPECT_TICKS;
    }
    if (isLong && this.#probe === undefined && !this.#isSilent) this.#sendProbe();
  }

  #sendProbe(): void {
    const probe = { answers: this.#answers, ticks: 0 };
    this.#probe = probe;
    void this.#options.ping().then((answer) => {
      // If no server is there, new connections are refused at once, so nobody has to be kept from waiting.
      if (answer === 'answered' || (this.#isSilent && answer === 'refused')) this.#accept(probe);
      else this.#refuse(probe);
    });
  }

  readonly #judge = (probe: { readonly answers: number }): void => this.#refuse(probe);

  #accept(probe: { readonly answers: number }): void {
    if (this.#probe !== probe) return;
    this.#probe = undefined;
    for (const connection of this.#options.pending) connection.age = SUSPECT_TICKS - AGAIN_TICKS;
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.#options.answering();
  }

  #refuse(probe: { readonly answers: number }): void {
    if (this.#probe !== probe) return;
    if (!this.#isSilent && this.#answers !== probe.answers) {
      this.#accept(probe);
      return;
    }
    this.#probe = undefined;
    if (this.#isSilent) return;
    this.#isSilent = true;
    this.#options.silent();
  }
}
