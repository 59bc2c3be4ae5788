import { hash } from 'node:crypto';
import { isObject } from '../../core/record.ts';
import type { Dialect } from '../database.ts';
import { fromStoredDecimal, toStoredDecimal } from '../stored-decimal.ts';
import type { ArchiveColumn, ArchiveTable, EncodedRow, EncodedValue } from './shape.ts';

const FLOATS: ReadonlyMap<string, number> = new Map([
  ['inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['nan', Number.NaN],
]);
/** Prefix of a whole number that was read as text, because a JavaScript number would lose digits. */
export const WIDE = '\u0001i:';

const toFloat = (value: number): string => (Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf');

/** A driver's value in a form that JSON preserves. */
export function encode(value: unknown, { kind, scale }: ArchiveColumn): EncodedValue {
  if (value === null || value === undefined) return null;
  // PostgreSQL gives a decimal as text. A number that no decimal is was written by another program, and stays.
  if (kind === 'decimal' && typeof value === 'number') return fromStoredDecimal(value, scale ?? 0, 'sqlite');
  if (typeof value === 'string') {
    if (kind === 'text' || kind === 'json') return value;
    if (value.startsWith(WIDE)) return { i: value.slice(WIDE.length) };
    return kind === 'integer' && /^-?\d{16,20}$/.test(value) ? { i: value } : value;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : { f: toFloat(value) };
  if (typeof value === 'bigint') return { i: String(value) };
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Uint8Array) return { b: Buffer.from(value).toString('base64') };
  return String(value);
}

/** The value for binding to a statement. */
export function decode(value: EncodedValue): unknown {
  if (value === null || typeof value !== 'object') return value;
  if ('i' in value) return value.i;
  if ('f' in value) return FLOATS.get(value.f) ?? null;
  return Buffer.from(value.b, 'base64');
}

/**
 * The same for a column of decimals: SQLite stores the whole number of the smallest unit.
 * @throws Error on PostgreSQL, if the value is not a decimal of the column's digits: PostgreSQL would round it. SQLite stores it unchanged.
 */
export function decodeDecimal(value: EncodedValue, scale: number, dialect: Dialect): unknown {
  if (value === null) return null;
  const stored = typeof value === 'string' ? toStoredDecimal(value, scale, dialect) : undefined;
  if (stored === undefined && dialect === 'postgres')
    throw new Error('The value is not a decimal of the digits that the column has.');
  return stored ?? decode(value);
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  // Sorted by code units, not by locale. Without a prototype, `__proto__` is an ordinary key.
  const sorted: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value).sort()) sorted[key] = sortKeys(value[key]);
  return sorted;
}

/** Canonical JSON: databases do not keep white space or the order of keys. */
function toCanonicalJson(text: string): string {
  try {
    return JSON.stringify(sortKeys(JSON.parse(text)));
  } catch {
    return text;
  }
}

const LIMB = 2 ** 32;

/** Counts the rows of a table and sums their SHA-256; the order of rows does not matter. */
export class Digest {
  rows = 0;
  readonly #sum = new Uint32Array(8);
  readonly #json: readonly number[];

  constructor({ columns }: Pick<ArchiveTable, 'columns'>) {
    this.#json = columns.flatMap(({ kind }, index) => (kind === 'json' ? [index] : []));
  }

  /** @param line The row as JSON, if the caller has it already. */
  add(row: EncodedRow, line = JSON.stringify(row)): void {
    this.rows += 1;
    const bytes = hash('sha256', this.#toCanonical(row, line), 'buffer');
    let carry = 0;
    for (let index = 7; index >= 0; index -= 1) {
      const sum = (this.#sum[index] ?? 0) + bytes.readUInt32BE(index * 4) + carry;
      this.#sum[index] = sum % LIMB;
      carry = sum >= LIMB ? 1 : 0;
    }
  }

  #toCanonical(row: EncodedRow, line: string): string {
    if (this.#json.length === 0) return line;
    const copy = [...row];
    for (const index of this.#json) {
      const value = row[index];
      if (typeof value === 'string') copy[index] = toCanonicalJson(value);
    }
    return JSON.stringify(copy);
  }

  toString(): string {
    return [...this.#sum].map((limb) => limb.toString(16).padStart(8, '0')).join('');
  }
}
