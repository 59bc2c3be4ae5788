/** An item in the queue. */
export interface QueueItem {
  /** Estimated milliseconds that it takes. */
  cost: number;
}

interface Share<T> {
  readonly reads: T[];
  /** Estimated milliseconds of all of them. */
  milliseconds: number;
  /** Virtual time: the service received so far. A new owner starts at the level of the others. */
  at: number;
}

/**
 * A queue in which owners take turns by the service they received: a small request does not wait for
 * another owner's backlog. @see Goyal, Vin, Cheng, Start-time Fair Queueing (1996)
 */
export class FairQueue<T extends QueueItem> {
  readonly #shares = new Map<string, Share<T>>();
  #now = 0;
  #size = 0;
  #milliseconds = 0;

  get size(): number {
    return this.#size;
  }

  /** Estimated milliseconds of all items. */
  get milliseconds(): number {
    return this.#milliseconds;
  }

  push(owner: string, item: T): void {
    let share = this.#shares.get(owner);
    if (share === undefined) {
      share = { reads: [], milliseconds: 0, at: this.#now };
      this.#shares.set(owner, share);
    }
    share.reads.push(item);
    this.#add(share, item.cost, 1);
  }

  #add(share: Share<T>, cost: number, count: 1 | -1): void {
    share.milliseconds += cost * count;
    this.#milliseconds += cost * count;
    this.#size += count;
  }

  /** The next item; undefined if the queue is empty. */
  shift(): T | undefined {
    let next: Share<T> | undefined;
    let owner = '';
    for (const [name, share] of this.#shares) {
      if (next !== undefined && share.at >= next.at) continue;
      next = share;
      owner = name;
    }
    const item = next?.reads.shift();
    if (next === undefined || item === undefined) return undefined;
    this.#now = next.at;
    next.at += Math.max(item.cost, 1);
    this.#add(next, item.cost, -1);
    if (next.reads.length === 0) this.#shares.delete(owner);
    return item;
  }

  /**
   * Removes the newest item of the owner with the largest backlog; on a tie, of the owner that joined last.
   */
  dropLargest(): T | undefined {
    let largest: Share<T> | undefined;
    let owner = '';
    for (const [name, share] of this.#shares) {
      if (largest !== undefined && share.milliseconds < largest.milliseconds) continue;
      largest = share;
      owner = name;
    }
    const item = largest?.reads.pop();
    if (largest === undefined || item === undefined) return undefined;
    this.#add(largest, item.cost, -1);
    if (largest.reads.length === 0) this.#shares.delete(owner);
    return item;
  }

  /** Removes all items that match a test. */
  dropWhere(test: (item: T) => boolean): T[] {
    const dropped: T[] = [];
    for (const [owner, share] of this.#shares) {
      if (!share.reads.some(test)) continue;
      const out = share.reads.filter(test);
      const kept = share.reads.filter((item) => !out.includes(item));
      share.reads.splice(0, share.reads.length, ...kept);
      for (const { cost } of out) this.#add(share, cost, -1);
      if (kept.length === 0) this.#shares.delete(owner);
      dropped.push(...out);
    }
    return dropped;
  }
}
