/** Makes a function of an object that computes its result once per object, and keeps it as long as the object. */
export function memoize<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const known = results.get(key);
    if (known) return known.value;
    const value = compute(key);
    results.set(key, { value });
    return value;
  };
}

/** Makes a function that computes its result at the first call. One that throws computes again. */
export function once<V>(compute: () => V): () => V {
  let known: { readonly value: V } | undefined;
  return () => {
    known ??= { value: compute() };
    return known.value;
  };
}

/** An object that is made when one of its properties is first read. It has its own identity, so it is no key of a map. */
export function defer<T extends object>(make: () => T): T {
  const find = once(make);
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(find(), name),
    has: (_, name) => Reflect.has(find(), name),
  });
}
