import { PLAIN } from '../record.ts';

/** Under it a twin has what it stands for. */
const ORIGINAL = Symbol('original');

/** What is of the request alone: its store, and how it prints. */
const HIDDEN = ['data', 'part', 'source', 'toJSON'] as const;

/** Gives what a request or a response has, as if the caller had that itself. */
const BEHIND: ProxyHandler<object> = {
  get(target, key) {
    const value: unknown = Reflect.get(target, key, target);
    return typeof value === 'function' && key !== 'constructor' ? value.bind(target) : value;
  },
  // What the original does not know becomes a value of the twin.
  set: (target, key, value, receiver) => Reflect.set(target, key, value, key in target ? target : receiver),
  // A loop over the names of the values must not meet those of the original.
  ownKeys: () => [],
};

/**
 * An object with values of its own, and behind them all that a request or a response has. So a handler that is written for the
 * values and an older one that is written for the request and the response get the same two arguments.
 */
export function createTwin<T extends object, V extends object>(original: T, values: V): T & V {
  const twin = Object.create(new Proxy(original, BEHIND), Object.getOwnPropertyDescriptors(values));
  return Object.defineProperty(twin, ORIGINAL, { value: original });
}

/**
 * The twin of a request with the values of its stage. It prints, is queued and is returned as these values: the request holds cookies.
 *
 * @param names Names that the shape of the stage says: never those of the request, but undefined unless they are among the values.
 *   A value of any other name never hides a method, because a client may have chosen the name. Default none.
 */
export function createStageTwin<T extends object, V extends object>(
  request: T,
  values: V,
  names: readonly string[] = [],
): T & V {
  const twin = createTwin(request, values);
  for (const name of Object.keys(values))
    if (!names.includes(name) && typeof Reflect.get(request, name) === 'function') Reflect.deleteProperty(twin, name);
  for (const name of [...HIDDEN, ...names])
    if (!Object.hasOwn(twin, name)) Object.defineProperty(twin, name, { value: undefined, writable: true });
  return Object.defineProperties(twin, { [PLAIN]: { value: true }, toString: { value: Object.prototype.toString } });
}

/** What a twin stands for; anything else as it is. */
export const findOriginal = <T extends object>(value: T & { readonly [ORIGINAL]?: T }): T => value[ORIGINAL] ?? value;
