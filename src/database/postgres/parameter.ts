import { toStamp } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';

function refuseNul(index: number): never {
  throw new TreadleError('DATABASE_TEXT_INVALID', 'A text has a NUL character, which the database cannot store.', {
    status: 400,
    hint: 'Remove the character U+0000.',
    detail: { parameter: index + 1 },
  });
}

/** A value as `pg` sends it: booleans as 1 and 0, as on SQLite. */
function toBound(value: unknown, index: number): unknown {
  switch (typeof value) {
    case 'string':
      return value.includes('\0') ? refuseNul(index) : value;
    case 'number':
      return value;
    case 'boolean':
      return value ? 1 : 0;
    case 'bigint':
      return String(value);
    default:
  }
  if (value === null) return null;
  if (value instanceof Date) return toStamp(value.getTime());
  if (Buffer.isBuffer(value)) return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const type = typeof value === 'object' ? 'an object' : `a value of type ${typeof value}`;
  throw new TreadleError('DATABASE_PARAMETER_INVALID', `Parameter ${index + 1} of a query is ${type}.`, {
    hint: 'Bind text, numbers, booleans, null, dates and buffers; write JSON as text.',
  });
}

/**
 * Converts parameters for PostgreSQL. @throws DATABASE_PARAMETER_INVALID. @throws DATABASE_TEXT_INVALID (400)
 * for a NUL character, which PostgreSQL cannot store in text.
 */
export function toParameters(parameters: readonly unknown[]): unknown[] {
  return parameters.map(toBound);
}
