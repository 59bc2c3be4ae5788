import type { Request } from '../../core/request/request.ts';
import { currentScope } from '../../core/scope.ts';
import type { Database } from '../../database/database.ts';

/** Writes rows in the open transaction. It may run again after a deadlock, so it has no other effect. */
type Store = () => Promise<unknown>;

/**
 * What listeners queue before a write: jobs, mails, events of web hooks. It is kept in memory, stored in the
 * transaction of that write, and dropped if the write is refused.
 */
export class DeferredWork {
  /** Of the write. */
  readonly request: Request;
  readonly #stores = new Set<Store>();
  readonly #queuing = new Set<Promise<unknown>>();
  readonly #known = new Map<string, Promise<number>>();
  #isOpen = true;
  #isStored = false;

  constructor(request: Request) {
    this.request = request;
  }

  /** False once the write has begun: what is queued from then on is stored at once. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** True if the write has something to store with its row. */
  get isWaiting(): boolean {
    return !this.#isOpen && !this.#isStored && this.#stores.size > 0;
  }

  /** Keeps work for the write. A transaction inside the listener that is rolled back takes its work with it. */
  keep(database: Database, store: Store): void {
    this.#stores.add(store);
    database.afterRollback(async () => void this.#stores.delete(store));
  }

  /** The id of what waits here with a name, made by the first call. */
  nameOnce(database: Database, name: string, make: () => Promise<number>): Promise<number> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const made = make();
    this.#known.set(name, made);
    database.afterRollback(async () => void this.#known.delete(name));
    return made;
  }

  /** Notes a call that is about to queue something: code need not await it. */
  track(queuing: Promise<unknown>): void {
    const noted = queuing.then(
      () => undefined,
      () => undefined,
    );
    this.#queuing.add(noted);
    void noted.then(() => this.#queuing.delete(noted));
  }

  /** Waits for calls that are about to queue something, then takes no more. */
  async close(): Promise<void> {
    while (this.#isOpen && this.#queuing.size > 0) await Promise.all(this.#queuing);
    this.#isOpen = false;
  }

  /** Drops everything: the write was refused. */
  drop(): void {
    this.#isOpen = false;
    this.#stores.clear();
  }

  /** Stores everything in the open transaction, once. If that is rolled back, it waits again. */
  async store(database: Database): Promise<void> {
    if (!this.isWaiting) return;
    this.#isStored = true;
    database.afterRollback(async () => {
      this.#isStored = false;
    });
    for (const store of this.#stores) await store();
  }
}

function findAny(): DeferredWork | undefined {
  const deferred = currentScope.getStore()?.deferred;
  return deferred instanceof DeferredWork ? deferred : undefined;
}

/** What holds the work of a listener that runs before a write; undefined elsewhere, where work is stored at once. */
export function findDeferredWork(): DeferredWork | undefined {
  const deferred = findAny();
  return deferred?.isOpen ? deferred : undefined;
}

/** Held work that the write of a request must store with its row. */
export function findWaitingWork(request: Request): DeferredWork | undefined {
  const deferred = findAny();
  return deferred?.request === request && deferred.isWaiting ? deferred : undefined;
}
