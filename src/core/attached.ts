/**
 * One value for each of many objects that live as short as a request. Unlike a WeakMap it keeps the value on the object:
 * an entry in a WeakMap for each request costs the garbage collector more than the request's own objects.
 */
export class AttachedValue<Owner extends object, Value> {
  readonly #key = Symbol('attached');

  get(owner: Owner): Value | undefined {
    return (owner as Record<symbol, Value | undefined>)[this.#key];
  }

  /** @param value Undefined detaches. */
  set(owner: Owner, value: Value | undefined): void {
    (owner as Record<symbol, Value | undefined>)[this.#key] = value;
  }
}
