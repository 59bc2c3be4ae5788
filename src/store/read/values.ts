import type { CompiledQuery } from 'kysely';
import { BoundedMap } from '../../core/bounded-map.ts';
import type { Database } from '../../database/database.ts';
import { Slot } from './parse/operator.ts';
import type { SearchNote } from './search-note.ts';
import type { Fragment } from './sql/exact-double.ts';

/** How far a list of values had come. */
interface Position {
  readonly length: number;
  readonly shape: string;
}

/**
 * The values that a statement binds, in order, and the shape that their names make. Statements are cached by their shape, so
 * whatever adds a value also distinguishes the statements: none can be run with the values of another. Names and marks come
 * from the model and the code, never from a request.
 */
export class Values {
  readonly list: unknown[];
  #shape: string;

  constructor(list: unknown[] = [], shape = '') {
    this.list = list;
    this.#shape = shape;
  }

  /** The names of the values in order, and the marks between them. */
  get shape(): string {
    return this.#shape;
  }

  get length(): number {
    return this.list.length;
  }

  /** Adds a value. @returns its index. */
  add(name: string, value: unknown): number {
    this.#shape += `${name}?`;
    return this.list.push(value) - 1;
  }

  /** Adds what changes the SQL text and has no value: a column that is shown, a direction of a sort. */
  mark(text: string): void {
    this.#shape += `${text}|`;
  }

  /** A copy that goes on by itself, for another statement that begins with the same values. */
  fork(): Values {
    return new Values([...this.list], this.#shape);
  }

  get place(): Position {
    return { length: this.list.length, shape: this.#shape };
  }

  /** Takes back what was added since then. */
  returnTo({ length, shape }: Position): void {
    this.list.length = length;
    this.#shape = shape;
  }
}

/** A compiled statement and, for each parameter, the index of the value to bind. */
export interface Statement {
  readonly query: CompiledQuery;
  readonly slots: readonly number[];
  /** How many values it was compiled for. */
  readonly valueCount: number;
  /** What it asks, for advice about slow ones. */
  readonly note?: SearchNote | undefined;
}

/** What a statement consists of. */
export interface StatementDraft {
  readonly fragment: Fragment;
  readonly note?: SearchNote;
}

/** Compiles a statement with slots as parameters. @param valueCount How many values a run has. */
export function compileStatement(
  { fragment, note }: StatementDraft,
  database: Database,
  valueCount: number,
): Statement {
  const query = fragment.compile(database.kysely);
  const slots = query.parameters.flatMap((parameter) => (parameter instanceof Slot ? parameter.index : []));
  if (slots.length < query.parameters.length) throw new TypeError('A statement has a value of its own');
  return { query, slots, valueCount, note };
}

/**
 * The values of one run, in the order of the statement's parameters.
 *
 * @throws Error if the statement was compiled for another number of values: each would be read as another.
 */
export function bind({ slots, valueCount, query }: Statement, values: readonly unknown[]): unknown[] {
  if (values.length !== valueCount) {
    throw new Error(`A statement for ${valueCount} values got ${values.length}: ${query.sql.slice(0, 200)}`);
  }
  const bound: unknown[] = [];
  for (const slot of slots) bound.push(values[slot]);
  return bound;
}

/** Compiled statements. Each is found by what it does and by the shape of the values that it binds, and by nothing else. */
export class Statements {
  readonly #cached: BoundedMap<Statement>;

  /** @param most Maximum number of statements. */
  constructor(most: number) {
    this.#cached = new BoundedMap(most);
  }

  /** @param kind What the statement does with the values, such as `rows` or `count`. */
  find(kind: string, values: Values, database: Database, make: () => StatementDraft): Statement {
    const key = `${kind}|${values.shape}`;
    const known = this.#cached.get(key);
    if (known !== undefined) return known;
    const made = compileStatement(make(), database, values.length);
    this.#cached.set(key, made);
    return made;
  }

  /** What a statement asks. It looks through all of them, so it is for slow statements. */
  findNote(text: string): SearchNote | undefined {
    for (const { query, note } of this.#cached.values()) if (query.sql === text) return note;
    return undefined;
  }
}
