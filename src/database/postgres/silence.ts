import type { Clock } from '../../core/clock.ts';

/** Milliseconds between two looks at what is pending. */
const TICK_MILLISECONDS = 200;
/**
 * Looks at a statement without answer until the server is asked on another connection, and looks until that must have
 * answered: together under 2 s. Looks are counted rather than milliseconds, since a busy event loop reads no answers.
 */
const SUSPECT_TICKS = 4;
const PING_TICKS = 5;
/** Looks until a statement that is merely slow makes the server be asked again. */
const AGAIN_TICKS = 10;
/** A look that comes later than this counts for less: the process itself was busy, and may not have read what was answered. */
const LATE_MILLISECONDS = 200;
const LATE_SHARE = 0.25;

/** A connection while somebody has it. */
interface Pending {
  readonly isBusy: boolean;
  /** Looks since its statement was sent. */
  age: number;
}

/** `answered`: the server said something, be it that it is full. `refused`: the network says at once that none is there. */
export type Answer = 'answered' | 'refused' | 'silent';

export interface SilenceOptions {
  readonly clock: Clock;
  readonly pending: ReadonlySet<Pending>;
  /** Asks on a connection of its own; never rejects. */
  readonly ping: () => Promise<Answer>;
  /** Told once when the server has fallen silent: whoever waits for it is to be told. */
  readonly silent: () => void;
  /** Told when it answers again. */
  readonly answering: () => void;
}

/**
 * Detects a server that keeps its connections open but does not answer: stopped, frozen, or behind a cut
 * wire. After a statement has waited a while, it pings on a second connection. If that is answered, or any
 * other connection receives data, the statement is merely slow and continues.
 */
export class Silence {
  readonly #options: SilenceOptions;
  #isTicking = false;
  #dueAt = 0;
  #isSilent = false;
  #isClosed = false;
  /** The question under way: the answers that were counted before it, and looks since. */
  #asked: { readonly answers: number; ticks: number } | undefined;
  #answers = 0;

  constructor(options: SilenceOptions) {
    this.#options = options;
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Something came from the server. */
  heard(): void {
    this.#answers += 1;
  }

  /** Somebody takes a connection: looks go on while one is taken. */
  watch(): void {
    if (this.#isTicking || this.#isClosed) return;
    this.#isTicking = true;
    this.#dueAt = this.#options.clock.now() + TICK_MILLISECONDS;
    this.#options.clock.after(TICK_MILLISECONDS, this.#tick);
  }

  /** A new connection was not answered in time: asks at once. */
  suspect(): void {
    if (this.#asked === undefined && !this.#isSilent) this.#ask();
    this.watch();
  }

  close(): void {
    this.#isClosed = true;
  }

  readonly #tick = (): void => {
    this.#isTicking = false;
    if (this.#isClosed) return;
    this.#look();
    if (this.#isSilent || this.#asked !== undefined || this.#options.pending.size > 0) this.watch();
  };

  #look(): void {
    const share = this.#options.clock.now() - this.#dueAt > LATE_MILLISECONDS ? LATE_SHARE : 1;
    if (this.#asked !== undefined) {
      this.#asked.ticks += share;
      // What has arrived is read before it is judged: a timer may come first after a busy while.
      if (this.#asked.ticks >= PING_TICKS) setImmediate(this.#judge, this.#asked);
    } else if (this.#isSilent) this.#ask();
    let isLong = false;
    for (const connection of this.#options.pending) {
      if (!connection.isBusy) continue;
      connection.age += share;
      isLong ||= connection.age >= SUSPECT_TICKS;
    }
    if (isLong && this.#asked === undefined && !this.#isSilent) this.#ask();
  }

  #ask(): void {
    const asked = { answers: this.#answers, ticks: 0 };
    this.#asked = asked;
    void this.#options.ping().then((answer) => {
      // Where none is there, new connections are refused at once: there is nothing to protect from waiting.
      if (answer === 'answered' || (this.#isSilent && answer === 'refused')) this.#accept(asked);
      else this.#refuse(asked);
    });
  }

  readonly #judge = (asked: { readonly answers: number }): void => this.#refuse(asked);

  #accept(asked: { readonly answers: number }): void {
    if (this.#asked !== asked) return;
    this.#asked = undefined;
    for (const connection of this.#options.pending) connection.age = SUSPECT_TICKS - AGAIN_TICKS;
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.#options.answering();
  }

  #refuse(asked: { readonly answers: number }): void {
    if (this.#asked !== asked) return;
    if (!this.#isSilent && this.#answers !== asked.answers) {
      this.#accept(asked);
      return;
    }
    this.#asked = undefined;
    if (this.#isSilent) return;
    this.#isSilent = true;
    this.#options.silent();
  }
}
