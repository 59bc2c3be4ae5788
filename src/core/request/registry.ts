import { isObject, recordContent } from '../record.ts';

/**
 * Keys that could reach a prototype, and two that print an object: `?q[toString]=1` would make `String(q)`
 * throw, and Handlebars calls `toHTML`. They never name data.
 */
const FORBIDDEN: ReadonlySet<unknown> = new Set(['__proto__', 'constructor', 'prototype', 'toString', 'toHTML']);

/** Whether a key may name data (prototype names and printing methods may not). */
export function isSafeKey(key: unknown): key is string | number {
  return typeof key === 'number' || !FORBIDDEN.has(key);
}

/**
 * Whether JSON text may contain a key that {@link isSafeKey} refuses. Searching for the names and for escapes
 * that could hide them is faster than checking every parsed key.
 */
export const mayHoldUnsafeKey = (json: string): boolean =>
  /\\u|__proto__|constructor|prototype|toString|toHTML/.test(json);

/** Reads a nested own property; undefined if a segment is missing or refused. */
export function readPath(root: unknown, path: readonly (string | number)[]): unknown {
  let node: unknown = root;
  for (const key of path) {
    if (!isObject(node) || !isSafeKey(key) || !Object.hasOwn(node, key)) return undefined;
    node = node[key];
  }
  return node;
}

/** Writes a nested property and creates missing objects. Returns false if a segment is refused. */
export function writePath(root: Record<string, unknown>, path: readonly unknown[], value: unknown): boolean {
  if (path.length === 0 || !path.every(isSafeKey)) return false;
  let node = root;
  for (const key of path.slice(0, -1)) {
    const next = Object.hasOwn(node, key) ? node[key] : undefined;
    if (isObject(next)) node = next;
    else {
      const made: Record<string, unknown> = {};
      node[key] = made;
      node = made;
    }
  }
  node[path[path.length - 1] as string] = value;
  return true;
}

function removePath(root: unknown, path: readonly (string | number)[]): void {
  const parent = readPath(root, path.slice(0, -1));
  const key = path[path.length - 1];
  if (key === undefined || !isObject(parent) || !isSafeKey(key)) return;
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}

/** Copies the own enumerable keys of a plain object except prototype names. */
export function safeCopy(source: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(source)) if (isSafeKey(key)) copy[key] = source[key];
  return copy;
}

/**
 * A nested store addressed by path segments or by a dotted string.
 * Setters return the registry for chaining. `__proto__`, `constructor` and `prototype` are never path
 * segments: writing through one does nothing, reading through one gives undefined.
 */
export class Registry {
  /** @internal */
  protected readonly data: Record<string, unknown>;

  constructor(data: Readonly<Record<string, unknown>> = {}) {
    this.data = safeCopy(data);
  }

  /** The value at the path, `get('a', 'b', 0)`; the whole store without a path; undefined if there is no value. */
  get(...path: (string | number)[]): unknown {
    return path.length === 0 ? this.data : readPath(this.data, path);
  }

  /** Sets the last argument at the path of the arguments before it, `set('a', 'b', 5)`, and makes missing objects. */
  set(...pathAndValue: unknown[]): this {
    writePath(this.data, pathAndValue.slice(0, -1), pathAndValue[pathAndValue.length - 1]);
    return this;
  }

  /** Removes the value at the path; an item of a list closes the gap. A missing path changes nothing. */
  remove(...path: (string | number)[]): this {
    removePath(this.data, path);
    return this;
  }

  /** Whether the path has a value other than null and undefined. */
  exists(...path: (string | number)[]): boolean {
    const value = this.get(...path);
    return value !== undefined && value !== null;
  }

  /** Whether the value at the path is missing or an empty text, list or object. */
  isEmpty(...path: (string | number)[]): boolean {
    const value = this.get(...path);
    if (isObject(value)) return Object.keys(value).length === 0;
    return value === undefined || value === null || value === '';
  }

  /** As `get`, with a dotted path: `getDot('a.b.0')`. Another delimiter is the second argument. */
  getDot(path: string, delimiter = '.'): unknown {
    return this.get(...path.split(delimiter));
  }

  /** As `set`, with a dotted path: `setDot('a.b', 5)`. */
  setDot(path: string, value: unknown, delimiter = '.'): this {
    return this.set(...path.split(delimiter), value);
  }

  /** As `remove`, with a dotted path. */
  removeDot(path: string, delimiter = '.'): this {
    return this.remove(...path.split(delimiter));
  }

  /** As `exists`, with a dotted path. */
  isDot(path: string, delimiter = '.'): boolean {
    return this.exists(...path.split(delimiter));
  }

  /** Records everything in it; the returned function puts it back, as often as it is called. @internal */
  record(): () => void {
    return recordContent(this.data);
  }

  /** What `JSON.stringify` prints: the whole store. */
  toJSON(): unknown {
    return this.data;
  }

  /** The store as indented JSON. */
  toString(): string {
    return JSON.stringify(this, null, 2);
  }
}
