import type { CompiledQuery } from 'kysely';
import { BoundedMap } from '../core/bounded-map.ts';
import type { Database } from '../database/database.ts';
import type { Fragment, Slot } from './operator.ts';
import type { Values } from './values.ts';

/** A compiled statement and, for each parameter, the index of the value to bind. */
export interface Statement {
  readonly query: CompiledQuery;
  readonly slots: readonly number[];
  /** How many values it was compiled for. */
  readonly held: number;
}

/** Compiles a statement with slots as parameters. @param held How many values a run has. */
export function compileStatement(fragment: Fragment, database: Database, held: number): Statement {
  const query = fragment.compile(database.kysely);
  return { query, slots: query.parameters.map((parameter) => (parameter as Slot).index), held };
}

/**
 * The values of one run, in the order of the statement's parameters.
 *
 * @throws Error if the statement was compiled for another number of values: each would be read as another.
 */
export function bind({ slots, held, query }: Statement, values: readonly unknown[]): unknown[] {
  if (values.length !== held) {
    throw new Error(`A statement for ${held} values got ${values.length}: ${query.sql.slice(0, 200)}`);
  }
  const bound = new Array<unknown>(slots.length);
  for (let index = 0; index < slots.length; index += 1) bound[index] = values[slots[index] as number];
  return bound;
}

/** Compiled statements. Each is found by what it does and by the shape of the values that it binds, and by nothing else. */
export class Statements {
  readonly #kept: BoundedMap<Statement>;

  /** @param most Maximum number of statements. */
  constructor(most: number) {
    this.#kept = new BoundedMap(most);
  }

  /** @param kind What the statement does with the values, such as `rows` or `count`. */
  find(kind: string, values: Values, database: Database, make: () => Fragment): Statement {
    const key = `${kind}|${values.shape}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const made = compileStatement(make(), database, values.length);
    this.#kept.set(key, made);
    return made;
  }
}
