import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type RequestTaker = (req: IncomingMessage, res: ServerResponse) => void;

export interface PipelineOptions {
  /** The answer in progress when a second request arrived. */
  readonly first: ServerResponse;
  readonly socket: Socket;
  readonly take: RequestTaker;
  /** For all connections: held requests, and requests in progress ahead of another on their connection. */
  readonly count: { held: number; ahead: number };
  /** Called when all are answered. */
  readonly over: () => void;
}

/** Maximum requests of one connection that are answered at the same time. */
const MOST_UNDER_WAY = 4;
/** The same for all connections, without the first request of each. */
const MOST_AHEAD_IN_ALL = 16;
/**
 * Maximum requests of one connection that wait behind those; with one more, the connection closes once they are
 * answered.
 */
const MOST_WAITING = 28;
/** Unread bytes of answers above which no further request of the client is started. */
const MOST_UNSENT_BYTES = 65_536;
/** Maximum requests that arrive after those and are ignored. */
const MOST_IGNORED = 1000;
/** Maximum waiting requests of all connections, including ignored ones: each takes some kB. */
const MOST_WAITING_IN_ALL = 8192;

/**
 * Requests that arrived on one connection without waiting for earlier answers. A few are answered at a time, so that
 * one connection cannot occupy the server, and too many end the connection.
 *
 * @see RFC 9112 section 9.3.2: after the connection closes, a client repeats unanswered requests.
 */
export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #waiting: { readonly req: IncomingMessage; readonly res: ServerResponse }[] = [];
  readonly #underWay = new Set<ServerResponse>();
  #ignored = 0;
  #last: ServerResponse;
  /** Bytes of the largest answer so far. */
  #largest = 0;
  #written: number;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#last = options.first;
    this.#written = options.socket.bytesWritten;
    this.#watch(options.first);
  }

  add(req: IncomingMessage, res: ServerResponse): void {
    const { count, socket } = this.#options;
    if (this.#ignored > 0 || this.#waiting.length >= MOST_WAITING || count.held >= MOST_WAITING_IN_ALL) {
      this.#ignore();
      if (this.#ignored > MOST_IGNORED || count.held > MOST_WAITING_IN_ALL) socket.destroy();
      return;
    }
    this.#last = res;
    count.held += 1;
    this.#waiting.push({ req, res });
    this.#beginNext();
  }

  #ignore(): void {
    this.#ignored += 1;
    this.#options.count.held += 1;
    // Sends `Connection: close`, if its headers are not sent yet.
    this.#last.shouldKeepAlive = false;
  }

  #watch(res: ServerResponse): void {
    if (this.#underWay.size > 0) this.#options.count.ahead += 1;
    this.#underWay.add(res);
    res.once('close', () => this.#end(res));
  }

  /** Bytes of complete but unsent answers. */
  get unsentBytes(): number {
    let bytes = 0;
    for (const { writableLength } of this.#underWay) bytes += writableLength;
    return bytes;
  }

  /** Starts another request only for a client that reads: otherwise unread answers would fill the memory. */
  #beginNext(): void {
    const { count } = this.#options;
    const { size } = this.#underWay;
    // At least one request always runs, so nothing has to wake the others.
    if (size >= MOST_UNDER_WAY || (size > 0 && count.ahead >= MOST_AHEAD_IN_ALL)) return;
    // Several large answers are not made before the client has read the first.
    if (size > 0 && this.#largest > MOST_UNSENT_BYTES) return;
    if (this.unsentBytes > MOST_UNSENT_BYTES) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    count.held -= 1;
    this.#watch(next.res);
    this.#options.take(next.req, next.res);
  }

  #noteSize(): void {
    const { bytesWritten } = this.#options.socket;
    this.#largest = Math.max(this.#largest, bytesWritten - this.#written);
    this.#written = bytesWritten;
  }

  #end(res: ServerResponse): void {
    if (!this.#underWay.delete(res)) return;
    this.#noteSize();
    if (this.#underWay.size > 0) this.#options.count.ahead -= 1;
    this.#beginNext();
    if (this.#underWay.size > 0) return;
    if (this.#ignored > 0) this.#options.socket.destroySoon();
    this.drop();
    this.#options.over();
  }

  /** The connection is closed: waiting requests are not started. */
  drop(): void {
    const { count } = this.#options;
    count.held -= this.#waiting.length + this.#ignored;
    // Node does not report the end of an answer that waits for earlier ones.
    count.ahead -= Math.max(this.#underWay.size - 1, 0);
    this.#underWay.clear();
    this.#waiting.length = 0;
    this.#ignored = 0;
  }
}
