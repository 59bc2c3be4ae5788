import type { Clock } from '../clock.ts';
import { readCode } from '../errors.ts';

export interface LogSinkOptions {
  /**
   * Writes bytes and returns how many were accepted. Throws `EAGAIN` while the reader is slow, another
   * error once it is gone.
   */
  readonly write: (bytes: Uint8Array) => number;
  readonly clock: Clock;
  /** Creates the line that reports how many lines were dropped. */
  readonly toNotice: (dropped: number) => string;
  /** Maximum bytes buffered for a slow reader; further lines are dropped and counted. Default 1 MiB. */
  readonly limitBytes?: number;
  /** Milliseconds for which lines are collected into one write; 0 writes each at once. Default 50. */
  readonly gatherMs?: number;
}

const LIMIT_BYTES = 1_048_576;
const GATHER_MS = 50;
/** Delay in milliseconds before a slow reader is tried again. */
const RETRY_MS = 100;
/** Maximum lines per write. */
const BATCH = 500;
const NEWLINE = 10;

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === NEWLINE) count += 1;
  return count;
}

/**
 * Writes log lines to a file descriptor. Collects them, because a write costs more than the line, and never
 * waits for the reader: a slow reader fills a bounded buffer, then lines are dropped; so are lines after
 * the reader is gone. The count is reported once a reader is back.
 */
export class LogSink {
  readonly #options: LogSinkOptions;
  readonly #limit: number;
  readonly #gatherMs: number;
  #lines: string[] = [];
  /** Size of `#lines`: UTF-16 units are used as an estimate of bytes until they are encoded. */
  #lineBytes = 0;
  /** Bytes that the last write did not accept. */
  #rest: Uint8Array | undefined;
  #cancel: (() => void) | undefined;
  #isSlow = false;
  #unreported = 0;
  #dropped = 0;

  constructor(options: LogSinkOptions) {
    this.#options = options;
    this.#limit = options.limitBytes ?? LIMIT_BYTES;
    this.#gatherMs = options.gatherMs ?? GATHER_MS;
  }

  /** Lines dropped since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Whether lines wait for a reader that accepts nothing now. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** @param text A line without its newline. */
  line(text: string): void {
    const waiting = this.#lineBytes + (this.#rest?.length ?? 0);
    if (waiting + text.length >= this.#limit) {
      this.#drop(1);
      return;
    }
    this.#lines.push(text);
    this.#lineBytes += text.length + 1;
    if (this.#isSlow) return;
    if (this.#gatherMs === 0 || this.#lines.length >= BATCH) this.flush();
    else this.#cancel ??= this.#options.clock.after(this.#gatherMs, () => this.flush());
  }

  /** Writes the buffered lines, as far as the reader accepts them. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isSlow = false;
    try {
      this.#writeAll();
      if (this.#unreported === 0) return;
      this.#lines.push(this.#options.toNotice(this.#unreported));
      this.#unreported = 0;
      this.#writeAll();
    } catch (error) {
      if (readCode(error) === 'EAGAIN') this.#retry();
      else this.#dropAll();
    }
  }

  #writeAll(): void {
    while (this.#rest !== undefined || this.#lines.length > 0) {
      this.#rest ??= this.#take();
      const taken = this.#options.write(this.#rest);
      this.#rest = taken < this.#rest.length ? this.#rest.subarray(taken) : undefined;
    }
  }

  #take(): Uint8Array {
    const bytes = Buffer.from(`${this.#lines.join('\n')}\n`);
    this.#lines = [];
    this.#lineBytes = 0;
    return bytes;
  }

  #retry(): void {
    this.#isSlow = true;
    this.#cancel = this.#options.clock.after(RETRY_MS, () => this.flush());
  }

  #dropAll(): void {
    const lines = this.#lines.length + (this.#rest === undefined ? 0 : countLines(this.#rest));
    this.#rest = undefined;
    this.#lines = [];
    this.#lineBytes = 0;
    this.#drop(lines);
  }

  #drop(lines: number): void {
    this.#dropped += lines;
    this.#unreported += lines;
  }
}
