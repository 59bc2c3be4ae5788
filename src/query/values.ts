/** How far a list of values had come. */
interface Position {
  readonly length: number;
  readonly shape: string;
}

/**
 * The values that a statement binds, in order, and the shape that their names make. Statements are kept by their shape, so
 * whatever adds a value also tells the statements apart: none can be run with the values of another. Names and marks come
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
  hold(name: string, value: unknown): number {
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
