import { createHash, randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import type { Clock } from '../../core/clock.ts';

/**
 * Milliseconds in which announcements of one topic are combined: each takes a lock that all commits of the
 * server share.
 */
const GATHER_MILLISECONDS = 50;
/** Milliseconds before reconnecting. */
const AGAIN_MILLISECONDS = 1000;

/** Members of `pg` that its types leave out. */
type RefClient = Client & { ref?(): void; unref?(): void };

export interface AnnouncerOptions {
  readonly clock: Clock;
  /** Keeps apart projects in other schemas of the same database. */
  readonly schema: string | undefined;
  /** Creates a separate client, not yet connected: a listening connection cannot be pooled. */
  readonly createClient: () => Client;
  /** Runs a statement on any connection. */
  readonly send: (sql: string, parameters: readonly unknown[]) => Promise<unknown>;
}

/**
 * Notifies other processes of commits by NOTIFY, and receives theirs by LISTEN. Nothing depends on it: polling
 * finds what was missed (behind a pooler, or during a reconnect).
 */
export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #channel: string;
  readonly #self = randomBytes(9).toString('base64url');
  readonly #callbacks = new Map<string, Set<() => void>>();
  /** Recently announced topics; true if announced again since. */
  readonly #recent = new Map<string, boolean>();
  #client: RefClient | undefined;
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
    // An unreachable server is polled once it is back.
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

  async #begin(client: RefClient): Promise<void> {
    await client.connect();
    // Closed in the meantime: the end is awaited, and an unreferenced socket would let the process exit first.
    if (this.#client !== client) return;
    // The connection must not keep the process running.
    client.unref?.();
    await client.query(`listen ${this.#channel}`);
    // Earlier announcements may have been missed.
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
    client?.ref?.();
    await client?.end().catch(nothing);
  }
}

function nothing(): void {}
