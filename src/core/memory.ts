/**
 * What parts of the program keep in memory as long as the owner of this object lives: the application, or one plan. One object
 * for each maker, made on first use.
 */
export class Memory {
  readonly #objects = new Map<() => object, object>();

  /** @param make A function that is the same at each call, such as one of a module. */
  get<T extends object>(make: () => T): T {
    const known = this.#objects.get(make) as T | undefined;
    if (known !== undefined) return known;
    const made = make();
    this.#objects.set(make, made);
    return made;
  }
}
