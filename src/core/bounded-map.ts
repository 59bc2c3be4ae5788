interface DropOptions<V> {
  /** Whether an entry may be dropped. Default: each may. */
  readonly canDrop?: (value: V) => boolean;
  readonly onDrop?: (value: V) => void;
}

/** A map of at most `limit` entries: a new one drops the one that was not read or set for longest. */
export class BoundedMap<V> extends Map<string, V> {
  readonly #limit: number;
  readonly #dropping: DropOptions<V>;

  constructor(limit: number, dropping: DropOptions<V> = {}) {
    super();
    this.#limit = limit;
    this.#dropping = dropping;
  }

  override get(key: string): V | undefined {
    const value = super.get(key);
    // Half empty, it will drop nothing soon: reads need not keep the order.
    if (value !== undefined && this.size > this.#limit / 2) {
      super.delete(key);
      super.set(key, value);
    }
    return value;
  }

  override set(key: string, value: V): this {
    if (!super.delete(key) && this.size >= this.#limit) this.#drop();
    return super.set(key, value);
  }

  /** The value of a key; created if missing. */
  getOrCreate(key: string, create: () => V): V {
    const known = this.get(key);
    if (known !== undefined) return known;
    const created = create();
    this.set(key, created);
    return created;
  }

  #drop(): void {
    const { canDrop, onDrop } = this.#dropping;
    for (const [key, value] of this) {
      if (canDrop?.(value) === false) continue;
      super.delete(key);
      onDrop?.(value);
      return;
    }
  }
}
