import type { Connection, Operation } from './connection.ts';
import { toTreadleError } from './fault.ts';

/** Connections that read, opened when they are first needed, and one queue before them. */
export class Readers {
  readonly #open: () => Promise<Connection>;
  readonly #limit: number;
  readonly #all: Connection[] = [];
  readonly #idle: Connection[] = [];
  readonly #queue: Operation[] = [];
  #opening = 0;
  #drained: (() => void) | undefined;

  constructor(open: () => Promise<Connection>, limit: number) {
    this.#open = open;
    this.#limit = limit;
  }

  /** Connections open now. */
  get size(): number {
    return this.#all.length;
  }

  execute(operation: Operation): void {
    const connection = this.#idle.pop();
    if (connection !== undefined) {
      connection.execute(operation);
      return;
    }
    this.#queue.push(operation);
    if (this.#all.length + this.#opening < this.#limit && this.#opening < this.#queue.length) void this.#add();
  }

  async #add(): Promise<void> {
    this.#opening += 1;
    try {
      const connection = await this.#open();
      connection.onIdle = () => this.#next(connection);
      this.#all.push(connection);
      this.#opening -= 1;
      this.#next(connection);
    } catch (error) {
      this.#opening -= 1;
      // Those that are open will serve the queue; without any, nobody would.
      if (this.#all.length > 0 || this.#opening > 0) return;
      for (const operation of this.#queue.splice(0)) operation.done(toTreadleError(error), [], undefined);
      this.#drained?.();
    }
  }

  #next(connection: Connection): void {
    const operation = this.#queue.shift();
    if (operation !== undefined) {
      connection.execute(operation);
      return;
    }
    this.#idle.push(connection);
    this.#drained?.();
  }

  /** Waits for what is under way, then closes. */
  async close(): Promise<void> {
    const isDrained = (): boolean => this.#idle.length === this.#all.length && this.#opening === 0;
    while (!isDrained()) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
    this.#idle.length = 0;
    await Promise.all(this.#all.splice(0).map((connection) => connection.close()));
  }
}
