import { toWellFormed } from '../text/reason.ts';

/** Values by name, which JSON can write. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Field names whose values never reach a log. */
const SECRET_NAME = /secret|token|password|authorization|cookie|^code$|signature/i;
const MAX_DEPTH = 6;
/** Items of one list or object, and of one line; the rest is counted. */
const MAX_ITEMS = 200;
const MAX_NODES = 2000;
/** Characters of one text. */
const MAX_TEXT = 100_000;
/** Stands for what throws when it is read. */
const UNREADABLE = '[unreadable]';
/** Cached, because the few names repeat on each line. */
const judged = new Map<string, boolean>();
const MAX_JUDGED = 500;

function isSecretName(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const isSecret = SECRET_NAME.test(name);
  if (judged.size < MAX_JUDGED) judged.set(name, isSecret);
  return isSecret;
}

/** True for fields without secrets and with nothing but short texts, numbers and flags, such as those of an answered request. */
export function isPlain(fields: unknown): fields is LogFields {
  if (typeof fields !== 'object' || fields === null) return false;
  if (Object.getPrototypeOf(fields) !== Object.prototype) return false;
  for (const key in fields) {
    const item = (fields as LogFields)[key];
    const isShort = typeof item === 'string' ? item.length <= MAX_TEXT : Number.isFinite(item);
    if (!isShort && item !== undefined && item !== null && typeof item !== 'boolean') return false;
    if (isSecretName(key)) return false;
  }
  return true;
}

/** Runs a read of a foreign value, which may throw: a getter, a `toJSON`, a proxy. */
function tryRead<T>(read: () => T): T | string {
  try {
    return read();
  } catch {
    return UNREADABLE;
  }
}

const cut = (text: string): string =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}… (${text.length} characters)`;

/** A URL without what it carries of secrets. */
function printUrl(given: URL): string {
  const url = new URL(given.href);
  if (url.password !== '') url.password = 'redacted';
  for (const name of [...url.searchParams.keys()]) if (isSecretName(name)) url.searchParams.set(name, '[redacted]');
  return cut(url.href);
}

/** Makes of one line's values what JSON can write, without secrets. It reads every value at most once, and never throws. */
class Reader {
  /** The objects that the value lies in: one of them again is a cycle. */
  readonly #around: object[] = [];
  #nodes = 0;

  read(value: unknown): unknown {
    switch (typeof value) {
      case 'string':
        return cut(toWellFormed(value));
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'bigint':
      case 'symbol':
        return String(value);
      case 'function':
        return tryRead(() => `[function ${cut(String(value.name))}]`);
      case 'object':
        return value === null ? null : this.#readObject(value);
      default:
        return value;
    }
  }

  #readObject(value: object): unknown {
    if (this.#around.includes(value)) return '[circular]';
    this.#nodes += 1;
    if (this.#around.length >= MAX_DEPTH || this.#nodes > MAX_NODES) return '…';
    this.#around.push(value);
    try {
      return this.#look(value);
    } catch {
      return UNREADABLE;
    } finally {
      this.#around.pop();
    }
  }

  #look(value: object): unknown {
    if (value instanceof Error) return this.#readError(value);
    if (Array.isArray(value)) return this.#readList(value, value.length);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (value instanceof URL) return printUrl(value);
    if (value instanceof RegExp) return String(value);
    if (value instanceof Set) return this.#readList(value, value.size);
    if (value instanceof Map || value instanceof URLSearchParams || value instanceof Headers)
      return this.#readEntries(value);
    if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) return String(value);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
      return `[${value.constructor.name}, ${value.byteLength} bytes]`;
    const { toJSON }: { readonly toJSON?: unknown } = value;
    if (typeof toJSON === 'function') return this.read(toJSON.call(value, ''));
    if (value instanceof String || value instanceof Number || value instanceof Boolean)
      return this.read(value.valueOf());
    return this.#readRecord(value);
  }

  #readError(error: Error): LogFields {
    const get = (name: string): unknown => this.read(tryRead(() => Reflect.get(error, name)));
    const errors = 'errors' in error ? { errors: get('errors') } : {};
    return {
      name: get('name'),
      code: get('code'),
      message: get('message'),
      stack: get('stack'),
      detail: get('detail'),
      cause: get('cause'),
      ...errors,
    };
  }

  #readList(items: Iterable<unknown>, length: number): unknown[] {
    const read: unknown[] = [];
    for (const item of items) {
      if (read.length === MAX_ITEMS) {
        read.push(`… ${length - MAX_ITEMS} more`);
        break;
      }
      read.push(this.read(item));
    }
    return read;
  }

  #readEntries(entries: Iterable<readonly [unknown, unknown]>): LogFields {
    const read: Record<string, unknown> = Object.create(null);
    let count = 0;
    for (const [key, item] of entries) {
      const given = typeof key === 'object' && key !== null ? this.read(key) : String(key);
      const name = typeof given === 'string' ? given : (JSON.stringify(given) ?? '');
      count += 1;
      if (count > MAX_ITEMS) continue;
      read[name] = isSecretName(name) ? '[redacted]' : this.read(item);
    }
    if (count > MAX_ITEMS) read['…'] = `${count - MAX_ITEMS} more`;
    return read;
  }

  #readRecord(value: object): LogFields {
    const names = Object.keys(value);
    const read: Record<string, unknown> = Object.create(null);
    for (const name of names.slice(0, MAX_ITEMS))
      read[name] = isSecretName(name) ? '[redacted]' : this.read(tryRead(() => Reflect.get(value, name)));
    if (names.length > MAX_ITEMS) read['…'] = `${names.length - MAX_ITEMS} more`;
    return read;
  }
}

/**
 * Fields that JSON can write, without secrets: texts for dates, addresses and large numbers, lists for sets, objects for
 * maps and errors, and marks for cycles and for what cannot be read. Never throws.
 */
export function toLogFields(fields: unknown): LogFields {
  const read = new Reader().read(fields);
  if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as LogFields;
  return read === undefined || read === null ? {} : { value: read };
}
