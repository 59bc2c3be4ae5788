import { isObject } from './record.ts';

/** True for a promise, and for anything else that `await` would wait for. */
export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  isObject(value) && typeof value.then === 'function';

/**
 * Calls `next` with a value at once, or with that of a promise once it is there. Where an async scope is active, each
 * `await` costs two promises and about a microsecond; most steps of a request have nothing to wait for.
 */
export function continueWith<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Calls a function whose errors become those of the promise that it returns. */
export function toPromise<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    const result = work();
    return result instanceof Promise ? result : Promise.resolve(result);
  } catch (error) {
    return Promise.reject(error);
  }
}
