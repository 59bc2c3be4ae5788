import { isDeepStrictEqual } from 'node:util';
import { systemRandom } from '../../core/clock.ts';
import { systemPasswords } from '../../core/secret/password.ts';
import { fieldKinds } from '../../model/field/field-kind.ts';
import { readFieldText } from '../../model/json/json-value.ts';
import type { Field } from '../../model/shape.ts';
import type { Dialect } from '../database.ts';
import { fromStoredDecimal, toStoredDecimal } from '../stored-decimal.ts';
import { type FieldNote, findScale } from '../table-default.ts';

/** Storage classes: SQLite's affinities and JSON. Types of one class store the same. */
export type Storage = 'integer' | 'real' | 'text' | 'json' | 'blob' | 'numeric';

export function toStorage(type: string): Storage {
  const name = type.toLowerCase();
  if (name.includes('json')) return 'json';
  if (name.includes('int')) return 'integer';
  if (/char|clob|text/.test(name)) return 'text';
  if (name === '' || name.includes('blob') || name === 'bytea') return 'blob';
  if (/real|floa|doub/.test(name)) return 'real';
  return 'numeric';
}

export type ConvertedValue =
  | { readonly isFit: true; readonly value: string | number | null }
  | { readonly isFit: false; readonly why: string };

export interface Meaning {
  readonly dialect: Dialect;
  /** The field's definition; undefined for keys, and if it is not remembered. */
  readonly field: FieldNote | undefined;
  readonly storage: Storage;
}

const PLAIN: Readonly<Record<Storage, FieldNote>> = {
  integer: { type: 'number' },
  real: { type: 'float' },
  numeric: { type: 'float' },
  text: { type: 'textarea' },
  blob: { type: 'textarea' },
  json: { type: 'rawjson' },
};

const toField = ({ field, storage }: Meaning): Field => ({ name: 'value', ...(field ?? PLAIN[storage]) });
const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

/** Parses stored JSON; returns invalid JSON unchanged. */
function decode(stored: unknown): unknown {
  if (typeof stored !== 'string') return stored;
  try {
    return JSON.parse(stored);
  } catch {
    return stored;
  }
}

/** Whether the conversion drops a time of day: `coerce` takes the date of a date-time. */
function isCut(text: string, to: Field): boolean {
  const time = /^\d{4}-\d{2}-\d{2}[T ](.*)$/i.exec(text.trim())?.[1];
  if (to.type === 'date') return time !== undefined && !/^00:00(:00(\.0+)?)?( ?Z)?$/i.test(time);
  return to.type === 'time' && time !== undefined;
}

/** Converts values between two field types: returns the value to store, or why it does not fit. */
export function createConverter(from: Meaning, to: Meaning): (stored: unknown) => Promise<ConvertedValue> {
  const [source, target] = [toField(from), toField(to)];
  const [old, kind] = [fieldKinds[source.type], fieldKinds[target.type]];
  const shape = kind.shape(target);
  const refuse = (): ConvertedValue => ({ isFit: false, why: kind.expects(target) });
  const secret = 'cannot be read as the other: a password is kept as a hash';
  const store = async (value: unknown): Promise<unknown> => {
    const isPlain = kind.isSystem || kind.isSecret || kind.group === 'file';
    if (isPlain && !kind.isJson) return value;
    return kind.prepare(value, { now: 0, random: systemRandom, passwords: systemPasswords }, target);
  };
  const [scale, wantedScale] = [findScale(from.field), findScale(to.field)];
  const read = (stored: unknown): unknown => {
    if (scale !== undefined) return fromStoredDecimal(stored, scale, from.dialect);
    return old.isJson ? decode(stored) : stored;
  };
  const isSecretive = old.isSecret !== kind.isSecret && (from.field !== undefined || kind.isSecret);
  return async (stored) => {
    if (stored === null || stored === undefined) return { isFit: true, value: null };
    // A hash cannot become text, nor text a hash.
    if (isSecretive) return { isFit: false, why: secret };
    if (Buffer.isBuffer(stored)) return refuse();
    const plain = read(stored);
    // PostgreSQL prints JSON with spaces: both databases convert it to the same text.
    const isText = !kind.isJson && typeof plain === 'object';
    const given = isBlank(plain) && !kind.isText ? '' : plain;
    const value = kind.coerce(
      isText ? JSON.stringify(plain) : old.isJson ? given : readFieldText(target.type, given),
      0,
    );
    if (value === null || value === undefined) return isBlank(stored) ? { isFit: true, value: null } : refuse();
    if (!shape.safeParse(value).success) return refuse();
    let written: unknown;
    try {
      written = await store(value);
    } catch {
      return refuse();
    }
    if (typeof written !== 'string' && typeof written !== 'number') return refuse();
    const former = scale === undefined ? stored : plain;
    if (!isSameMeaning({ stored: former, plain, written, old, kind, to: target })) return refuse();
    const result = wantedScale === undefined ? written : toStoredDecimal(written, wantedScale, to.dialect);
    return result === undefined ? refuse() : { isFit: true, value: result };
  };
}

interface Pair {
  readonly stored: unknown;
  readonly plain: unknown;
  readonly written: string | number;
  readonly old: (typeof fieldKinds)[Field['type']];
  readonly kind: (typeof fieldKinds)[Field['type']];
  readonly to: Field;
}

/**
 * Whether a conversion keeps the meaning. Text may change its form (`05` to 5); other values must convert
 * back.
 */
function isSameMeaning({ stored, plain, written, old, kind, to }: Pair): boolean {
  if (written === stored || written === String(plain) || written === JSON.stringify(plain)) return true;
  if (typeof plain === 'string' && isCut(plain, to)) return false;
  if (to.type === 'decimal' && typeof plain === 'number') return Number(written) === plain;
  const isNumeric = kind.group === 'number' && typeof written === 'number';
  if (old.isText || (typeof plain === 'string' && old.group !== 'date' && !old.isJson)) {
    return !isNumeric || Number(plain) === written;
  }
  if (old.group === 'date' && kind.group === 'date') {
    return old.coerce(written, 0) === plain;
  }
  return isDeepStrictEqual(old.coerce(kind.isJson ? decode(written) : written, 0), plain);
}

/**
 * Whether two stored values are equal. JSON is compared by content, because PostgreSQL formats it in its
 * own way.
 */
export function isSameStored(a: unknown, b: unknown, isJson: boolean): boolean {
  return (
    a === b || (isJson && typeof a === 'string' && typeof b === 'string' && isDeepStrictEqual(decode(a), decode(b)))
  );
}
