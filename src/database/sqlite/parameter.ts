import { toStamp } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || value === null || typeof value === 'boolean';
}

/** A bigint is bound as a number if that is exact; both bindings would drop or refuse others. */
function toBound(value: unknown, index: number): unknown {
  if (isPlain(value)) return value;
  if (typeof value === 'bigint') {
    if (value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER) return Number(value);
  } else if (value instanceof Date) {
    return toStamp(value.getTime());
  } else if (value instanceof Uint8Array) {
    return Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  const type = typeof value === 'object' ? 'an object' : `a value of type ${typeof value}`;
  throw new TreadleError('DATABASE_PARAMETER_INVALID', `Parameter ${index + 1} of a query is ${type}.`, {
    hint: 'Bind text, numbers, booleans, null, dates and buffers; write JSON as text.',
  });
}

/**
 * Converts parameters for SQLite; usually gives the same array unchanged.
 *
 * The package `sqlite3` silently binds `undefined` and bigints as NULL, and objects as "[object Object]", so
 * these are refused here. @throws DATABASE_PARAMETER_INVALID
 */
export function toParameters(parameters: readonly unknown[]): readonly unknown[] {
  for (let index = 0; index < parameters.length; index += 1) {
    if (!isPlain(parameters[index])) return parameters.map(toBound);
  }
  return parameters;
}
