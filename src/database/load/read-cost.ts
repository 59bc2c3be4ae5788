import { createHash } from 'node:crypto';
import type { CompiledQuery } from 'kysely';
import { BoundedMap } from '../../core/bounded-map.ts';

/** What is known about a read before it runs. */
export interface ReadCost {
  /** Distinguishes reads of one statement with different costs, such as by their offset. Usually empty. */
  readonly kind: string;
  /** Assumed milliseconds until a read of this shape has run. */
  readonly guess: number;
  /** True if it may run on a connection that runs others of its kind. Default false. */
  readonly isShared?: boolean;
}

/** Reads rows by a key: never costly. */
export const KEYED: ReadCost = { kind: '', guess: -1 };
/** Reads one row by its key: the database takes microseconds, and a round trip to its thread much longer. */
export const LONE: ReadCost = { kind: '', guess: -1, isShared: true };
/** Cheap until it has been measured. */
export const USUAL: ReadCost = { kind: '', guess: 0 };

/** Measured cost of reads with the same shape, or with the same shape and values. */
export interface KnownCost {
  /** Milliseconds on an idle machine: falls at once, rises slowly. */
  low: number;
  /** Recent milliseconds, including delays by other work. */
  mean: number;
  /** Number of the check at which `low` last rose. */
  rose: number;
  /** For a shape: values that took much longer than others. */
  outliers?: Map<string, KnownCost>;
}

/** A read, as far as its cost is concerned. */
export interface CostedRead {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly about: ReadCost;
  /** Known cost; undefined until a read of this shape has run. */
  known: KnownCost | undefined;
}

/** A shape with a guess counts as costly from this many milliseconds. */
const COSTLY_MS = 20;
/** The same for a shape without a guess: requests have less influence on what it reads. */
const USUAL_COSTLY_MS = 100;
/** Maximum cached shapes, and outliers per shape. */
const MOST_SHAPES = 5000;
const MOST_OUTLIERS = 32;
/**
 * Share of the excess time by which `low` rises: one run of 400 ms is enough to count as costly, several of
 * 50 ms are not.
 */
const RISE = 1 / 16;
const MEAN_WEIGHT = 0.25;

/**
 * The cost of reads by shape. Other work can only lengthen a read, so the shortest recent run shows whether
 * it is costly.
 */
export class ReadCosts {
  readonly #shapes = new BoundedMap<KnownCost>(MOST_SHAPES);

  /** Sets the known cost of a read. */
  find(read: CostedRead): void {
    if (read.about.guess < 0) return;
    const shape = this.#shapes.get(toShape(read));
    read.known = shape?.outliers?.get(toValues(read)) ?? shape;
  }

  /** Estimated milliseconds of a read. */
  estimate({ about, known }: CostedRead): number {
    return known?.mean ?? Math.max(about.guess, 0);
  }

  isCostly({ about: { guess }, known }: CostedRead): boolean {
    return guess >= 0 && (known?.low ?? guess) >= toCostly(guess);
  }

  /**
   * Records the duration of a read. Reads that end between two checks count once, since a single stall may
   * have delayed them all.
   */
  note(read: CostedRead, took: number, look: number): void {
    if (read.about.guess < 0) return;
    const shape = toShape(read);
    const known = read.known ?? this.#shapes.get(shape);
    if (known === undefined) {
      this.#shapes.set(shape, { low: took, mean: took, rose: look });
      return;
    }
    const { low } = known;
    const costly = toCostly(read.about.guess);
    if (took >= costly && low < costly) this.#setApart(read, { low, mean: took, rose: -1 }, took, look);
    learn(known, took, look);
    // Without outliers, reads need no hash of their values.
    if (took < costly && known.outliers === undefined && read.known !== undefined) this.#forget(read, took, look);
  }

  #forget(read: CostedRead, took: number, look: number): void {
    const shape = this.#shapes.get(toShape(read));
    if (shape?.outliers === undefined || shape === read.known) return;
    learn(shape, took, look);
    shape.outliers.delete(toValues(read));
    if (shape.outliers.size === 0) delete shape.outliers;
  }

  /** Remembers the values of a read that took longer than others of its shape. */
  #setApart(read: CostedRead, outlier: KnownCost, took: number, look: number): void {
    const shape = this.#shapes.get(toShape(read));
    // Already an outlier, or without values to identify it.
    if (shape === undefined || (read.known !== undefined && read.known !== shape) || read.parameters.length === 0)
      return;
    shape.outliers ??= new BoundedMap(MOST_OUTLIERS);
    const values = toValues(read);
    if (shape.outliers.has(values)) return;
    learn(outlier, took, look);
    shape.outliers.set(values, outlier);
  }
}

function learn(known: KnownCost, took: number, look: number): void {
  known.mean += (took - known.mean) * MEAN_WEIGHT;
  if (took < known.low) known.low = took;
  else if (took > known.low && known.rose !== look) {
    known.low += (took - known.low) * RISE;
    known.rose = look;
  }
}

const toCostly = (guess: number): number => (guess > 0 ? COSTLY_MS : USUAL_COSTLY_MS);
const toShape = ({ sql, about }: CostedRead): string => (about.kind === '' ? sql : `${about.kind} ${sql}`);
const toValues = ({ parameters }: CostedRead): string =>
  createHash('sha256').update(parameters.map(String).join('\0')).digest('base64');

/** Raw SQL that only reads. */
const READS = /^\s*(select|show|explain|pragma\s+(table|index|foreign_key)_\w+\s*\()/i;

/** True if a query only reads: on SQLite it skips the writer's queue, on PostgreSQL it can be repeated. */
export function isRead(query: CompiledQuery): boolean {
  const { kind } = query.query;
  return kind === 'SelectQueryNode' || (kind === 'RawNode' && READS.test(query.sql));
}

/** True if Kysely expects the number of changed rows rather than rows. */
export function isChange({ query }: CompiledQuery): boolean {
  if (query.kind !== 'InsertQueryNode' && query.kind !== 'UpdateQueryNode' && query.kind !== 'DeleteQueryNode') {
    return false;
  }
  return query.returning === undefined;
}
