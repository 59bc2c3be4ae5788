/** A value of a table by a name from outside; undefined for the names that every object has, such as `constructor`. */
export const findOwn = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** True for objects and lists. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The value if it is an object or a list, else an empty object. */
export const toObject = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

/** True for a value of a fixed list. */
export function isOneOf<T>(list: readonly T[], value: unknown): value is T {
  const values: readonly unknown[] = list;
  return values.includes(value);
}

/** The keys of a table whose keys are known. */
export function listKeys<T extends object>(table: T): Extract<keyof T, string>[] {
  const keys: Extract<keyof T, string>[] = [];
  for (const key in table) keys.push(key);
  return keys;
}

type Container = Record<string, unknown> | unknown[];

/** Marks an object that counts as plain, although it has a prototype of its own. */
export const PLAIN = Symbol('plain');

/** True for a list, and for an object that is no instance of a class. */
export function isPlain(value: unknown): value is Container {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.hasOwn(value, PLAIN);
}

function putBack(container: Container, entries: Container): void {
  if (Array.isArray(container)) {
    container.splice(0, container.length, ...Object.values<unknown>(entries));
    return;
  }
  for (const key of Object.keys(container)) if (!Object.hasOwn(entries, key)) delete container[key];
  Object.assign(container, entries);
}

/**
 * Records the content of an object and of every plain object and list in it. The returned function puts it back into the
 * same objects, because their identity shows what the client sent.
 */
export function recordContent(root: Record<string, unknown>): () => void {
  const kept = new Map<Container, Container>();
  const seen = new Set<Container>();
  const open: Container[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (!Object.isFrozen(next)) kept.set(next, Array.isArray(next) ? [...next] : { ...next });
    for (const value of Object.values(next)) if (isPlain(value)) open.push(value);
  }
  return () => {
    for (const [container, entries] of kept) putBack(container, entries);
  };
}
