import { createHash, randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import type { Clock } from '../../core/clock.ts';

/** Milliseconds in which announcements of one topic are sent as one: each takes a lock that all commits of the server share. */
const GATHER_MILLISECONDS = 50;
/** Milliseconds until a connection that ended is made anew. */
const AGAIN_MILLISECONDS = 1000;

/** What the package has and its types leave out. */
type Held = Client & { ref?(): void; unref?(): void };

export interface AnnouncerOptions {
  readonly clock: Clock;
  /** Projects in other schemas of the same database are not disturbed. */
  readonly schema: string | undefined;
  /** A client of its own, not connected yet: a listener cannot be lent out. */
  readonly createClient: () => Client;
  /** Sends a statement on any connection. */
  readonly send: (sql: string, parameters: readonly unknown[]) => Promise<unknown>;
}

/**
 * Tells other processes that something was committed, by NOTIFY, and hears them by LISTEN. Nothing depends on it: what is
 * not heard (behind a pooler, while a connection is made anew) is found by looking.
 */
export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #channel: string;
  readonly #self = randomBytes(9).toString('base64url');
  readonly #callbacks = new Map<string, Set<() => void>>();
  /** Topics that were announced just now; true where there was more to announce since. */
  readonly #recent = new Map<string, boolean>();
  #client: Client | undefined;
  #isClosed = false;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
    const name = createHash('sha256').update(options.schema ?? 'public');
    this.#channel = `treadle_${name.digest('hex').slice(0, 32)}`;
  }

  announce(topic: string): void {
    if (this.#isClosed) return;
    if (this.#recent.has(topic)) {
      this.#recent.set(topic, true);
      return;
    }
    this.#recent.set(topic, false);
    // A server that cannot be reached now will be looked at when it can.
    this.#options.send('select pg_notify($1, $2)', [this.#channel, `${this.#self} ${topic}`]).catch(nothing);
    this.#options.clock.after(GATHER_MILLISECONDS, () => {
      const isMore = this.#recent.get(topic) === true;
      this.#recent.delete(topic);
      if (isMore) this.announce(topic);
    });
  }

  listen(topic: string, callback: () => void): () => void {
    const callbacks = this.#callbacks.get(topic) ?? new Set();
    callbacks.add(callback);
    this.#callbacks.set(topic, callbacks);
    if (this.#client === undefined) this.#connect();
    return () => callbacks.delete(callback);
  }

  #connect(): void {
    if (this.#isClosed) return;
    const client = this.#options.createClient();
    this.#client = client;
    const again = (): void => {
      if (this.#client !== client) return;
      this.#client = undefined;
      client.end().catch(nothing);
      this.#options.clock.after(AGAIN_MILLISECONDS, () => {
        if (this.#client === undefined) this.#connect();
      });
    };
    client.on('error', again);
    client.on('end', again);
    client.on('notification', ({ payload = '' }) => this.#tell(payload));
    this.#begin(client).catch(again);
  }

  async #begin(client: Client): Promise<void> {
    await client.connect();
    // Closed meanwhile: its end is waited for, and an unheld socket would let the process go before.
    if (this.#client !== client) return;
    // It is no reason for a process to stay.
    (client as Held).unref?.();
    await client.query(`listen ${this.#channel}`);
    // What was announced before this cannot have been heard.
    for (const topic of this.#callbacks.keys()) this.#tell(` ${topic}`);
  }

  #tell(payload: string): void {
    const [from, topic = ''] = payload.split(' ');
    if (from === this.#self) return;
    for (const callback of this.#callbacks.get(topic) ?? []) callback();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = this.#client;
    this.#client = undefined;
    (client as Held | undefined)?.ref?.();
    await client?.end().catch(nothing);
  }
}

function nothing(): void {}
