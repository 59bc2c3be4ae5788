import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type Take = (req: IncomingMessage, res: ServerResponse) => void;

export interface PipelineOptions {
  /** The answer that was under way when a second request came. */
  readonly first: ServerResponse;
  readonly socket: Socket;
  readonly take: Take;
  /** Of all connections: requests that are held back, and those under way before another one of their connection. */
  readonly count: { held: number; ahead: number };
  /** Told when all are answered. */
  readonly over: () => void;
}

/** Requests of one connection that are answered at the same time. */
const MOST_UNDER_WAY = 4;
/** The same of all connections, the first of each not counted. */
const MOST_AHEAD_IN_ALL = 16;
/** Requests of one connection that wait behind those; for one more the connection is closed once they are answered. */
const MOST_HELD = 28;
/** Bytes of answers that a client has not taken, with which no further request of it is begun. */
const MOST_UNSENT_BYTES = 65_536;
/** Requests that came after those and are not answered. */
const MOST_IGNORED = 1000;
/** Requests of all connections that wait, answered or not: each takes some kB. */
const MOST_HELD_IN_ALL = 8192;

/**
 * Requests that came on one connection without waiting for the answers before them. A few are answered at a time, so that
 * one connection cannot take all, and too many end the connection.
 *
 * @see RFC 9112 section 9.3.2: a client sends again what was not answered when its connection closed.
 */
export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #held: { readonly req: IncomingMessage; readonly res: ServerResponse }[] = [];
  readonly #underWay = new Set<ServerResponse>();
  #ignored = 0;
  #last: ServerResponse;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#last = options.first;
    this.#watch(options.first);
  }

  add(req: IncomingMessage, res: ServerResponse): void {
    const { count, socket } = this.#options;
    if (this.#ignored > 0 || this.#held.length >= MOST_HELD || count.held >= MOST_HELD_IN_ALL) {
      this.#ignore();
      if (this.#ignored > MOST_IGNORED || count.held > MOST_HELD_IN_ALL) socket.destroy();
      return;
    }
    this.#last = res;
    count.held += 1;
    this.#held.push({ req, res });
    this.#beginNext();
  }

  #ignore(): void {
    this.#ignored += 1;
    this.#options.count.held += 1;
    // With `Connection: close`, where its headers are not sent yet.
    this.#last.shouldKeepAlive = false;
  }

  #watch(res: ServerResponse): void {
    if (this.#underWay.size > 0) this.#options.count.ahead += 1;
    this.#underWay.add(res);
    res.once('close', () => this.#end(res));
  }

  /** Bytes of answers that are made and not sent. */
  get unsentBytes(): number {
    let bytes = 0;
    for (const { writableLength } of this.#underWay) bytes += writableLength;
    return bytes;
  }

  /** One more for a client that reads: else the answers of one that does not would fill the memory. */
  #beginNext(): void {
    const { count } = this.#options;
    const { size } = this.#underWay;
    // One goes on in any case, so nothing needs to wake the others.
    if (size >= MOST_UNDER_WAY || (size > 0 && count.ahead >= MOST_AHEAD_IN_ALL)) return;
    if (this.unsentBytes > MOST_UNSENT_BYTES) return;
    const next = this.#held.shift();
    if (next === undefined) return;
    count.held -= 1;
    this.#watch(next.res);
    this.#options.take(next.req, next.res);
  }

  #end(res: ServerResponse): void {
    if (!this.#underWay.delete(res)) return;
    if (this.#underWay.size > 0) this.#options.count.ahead -= 1;
    this.#beginNext();
    if (this.#underWay.size > 0) return;
    if (this.#ignored > 0) this.#options.socket.destroySoon();
    this.drop();
    this.#options.over();
  }

  /** The connection is closed: what has not begun is not begun. */
  drop(): void {
    const { count } = this.#options;
    count.held -= this.#held.length + this.#ignored;
    // Node does not tell of the end of an answer that waits for those before it.
    count.ahead -= Math.max(this.#underWay.size - 1, 0);
    this.#underWay.clear();
    this.#held.length = 0;
    this.#ignored = 0;
  }
}
