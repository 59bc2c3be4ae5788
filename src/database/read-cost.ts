import { createHash } from 'node:crypto';
import { BoundedMap } from '../core/bounded-map.ts';

/** What is known of a read before it runs. */
export interface ReadCost {
  /** Reads of one statement that differ in this differ in cost, such as by their offset. Empty for most. */
  readonly kind: string;
  /** Milliseconds that it is taken for until one of its shape has run. */
  readonly guess: number;
}

/** Reads one row by a key: never costly. */
export const KEYED: ReadCost = { kind: '', guess: -1 };
/** Cheap until it has been measured. */
export const USUAL: ReadCost = { kind: '', guess: 0 };

/** What reads of one shape have cost, or those of one shape with the same values. */
export interface KnownCost {
  /** Milliseconds on a calm machine: falls at once, and rises slowly. */
  low: number;
  /** Milliseconds lately, with what a busy machine adds. */
  mean: number;
  /** Number of the look around at which `low` rose last. */
  rose: number;
  /** Of a shape: values that took much longer than the others did. */
  outliers?: Map<string, KnownCost>;
}

/** A read, as far as its cost goes. */
export interface Priced {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly about: ReadCost;
  /** What is known of its cost; undefined until one of its shape has run. */
  known: KnownCost | undefined;
}

/** Milliseconds from which a shape with a guess counts as costly. */
const COSTLY_MS = 20;
/** The same of a shape without one: a request has less say in what it reads. */
const USUAL_COSTLY_MS = 100;
/** Shapes that are remembered, and outliers of each. */
const MOST_SHAPES = 2000;
const MOST_OUTLIERS = 32;
/** Share of what a run took more that `low` rises by: one run of 400 ms proves a cost, several of 50 ms do not. */
const RISE = 1 / 16;
const MEAN_WEIGHT = 0.25;

/**
 * What reads cost, by their shape. A busy machine makes a read longer, never shorter: so the shortest of the last runs
 * tells whether it is costly.
 */
export class ReadCosts {
  readonly #shapes = new BoundedMap<KnownCost>(MOST_SHAPES);

  /** Notes in a read what is known of its cost. */
  find(read: Priced): void {
    if (read.about.guess < 0) return;
    const shape = this.#shapes.get(toShape(read));
    read.known = shape?.outliers?.get(toValues(read)) ?? shape;
  }

  /** Milliseconds that a read will take. */
  estimate({ about, known }: Priced): number {
    return known?.mean ?? Math.max(about.guess, 0);
  }

  isCostly({ about: { guess }, known }: Priced): boolean {
    return guess >= 0 && (known?.low ?? guess) >= toCostly(guess);
  }

  /** Notes how long a read took. Reads that end between two looks around count once: one stall may have held up all. */
  note(read: Priced, took: number, look: number): void {
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
    // Without outliers no read pays for the hash of its values.
    if (took < costly && known.outliers === undefined && read.known !== undefined) this.#forget(read, took, look);
  }

  #forget(read: Priced, took: number, look: number): void {
    const shape = this.#shapes.get(toShape(read));
    if (shape?.outliers === undefined || shape === read.known) return;
    learn(shape, took, look);
    shape.outliers.delete(toValues(read));
    if (shape.outliers.size === 0) delete shape.outliers;
  }

  /** Remembers by its values a read that took longer than others of its shape. */
  #setApart(read: Priced, outlier: KnownCost, took: number, look: number): void {
    const shape = this.#shapes.get(toShape(read));
    // It is one already, or has no others.
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
const toShape = ({ sql, about }: Priced): string => (about.kind === '' ? sql : `${about.kind} ${sql}`);
const toValues = ({ parameters }: Priced): string =>
  createHash('sha256').update(parameters.map(String).join('\0')).digest('base64');
