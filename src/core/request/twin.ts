/** Under it a twin has what it stands for. */
const ORIGINAL = Symbol('original');

/** Gives what a request or a response has, as if the caller had that itself. */
const BEHIND: ProxyHandler<object> = {
  get(target, key) {
    const value: unknown = Reflect.get(target, key, target);
    return typeof value === 'function' && key !== 'constructor' ? value.bind(target) : value;
  },
  set: (target, key, value) => Reflect.set(target, key, value, target),
};

/**
 * An object with values of its own, and behind them all that a request or a response has. So a handler that is written for the
 * values and an older one that is written for the request and the response get the same two arguments.
 *
 * @param hidden Names that are not those of the original: undefined unless they are among the values. Default none.
 */
export function createTwin<T extends object, V extends object>(
  original: T,
  values: V,
  hidden: readonly string[] = [],
): T & V {
  const twin = Object.create(new Proxy(original, BEHIND), Object.getOwnPropertyDescriptors(values));
  // What prints the values must not print the request, which holds cookies.
  for (const name of ['toJSON', ...hidden])
    if (!Object.hasOwn(twin, name)) Object.defineProperty(twin, name, { value: undefined, writable: true });
  return Object.defineProperty(twin, ORIGINAL, { value: original });
}

/** What a twin stands for; anything else as it is. */
export const findOriginal = <T extends object>(value: T & { readonly [ORIGINAL]?: T }): T => value[ORIGINAL] ?? value;
