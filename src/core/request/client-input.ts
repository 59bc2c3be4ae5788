import type { Data } from './request-source.ts';

type Key = string | number;

/**
 * Distinguishes the parts of a stage that the client sent (query, body, path) from those that code wrote.
 * Keeps references to the input and the paths that code wrote; compares on demand.
 */
export class ClientInput {
  readonly #sources: Data[] = [];
  readonly #written = new Set<string>();
  /** Paths with two or more keys. */
  #writtenWithin: (readonly string[])[] = [];

  copy(): ClientInput {
    const made = new ClientInput();
    made.#sources.push(...this.#sources);
    for (const key of this.#written) made.#written.add(key);
    made.#writtenWithin = [...this.#writtenWithin];
    return made;
  }

  /** Records input values that entered the stage under their own keys. */
  add(data: Data): void {
    this.#sources.push(data);
    if (this.#written.size === 0 && this.#writtenWithin.length === 0) return;
    for (const key of Object.keys(data)) {
      this.#forgetWithin(key);
      this.#written.delete(key);
    }
  }

  /** Records that code wrote at a path. */
  write(path: readonly Key[]): void {
    const [first, ...rest] = path.map(String);
    if (first === undefined) return;
    if (rest.length > 0) this.#writtenWithin.push([first, ...rest]);
    else {
      this.#forgetWithin(first);
      this.#written.add(first);
    }
  }

  #forgetWithin(first: string): void {
    if (this.#writtenWithin.length > 0) this.#writtenWithin = this.#writtenWithin.filter(([key]) => key !== first);
  }

  /** Whether code wrote inside an object or list: at the path or at a parent of it. */
  isWrittenWithin(path: readonly Key[]): boolean {
    return this.#writtenWithin.some((written) => written.every((key, index) => key === String(path[index])));
  }

  /** Whether a plain value of the stage is the input under its key. */
  has(key: Key, value: unknown): boolean {
    if (this.#written.has(String(key))) return false;
    const source = this.#sources.findLast((data) => Object.hasOwn(data, key));
    return source !== undefined && source[key] === value;
  }

  /** The key under which an object or list came as input; undefined if it did not. */
  findKey(value: object): string | undefined {
    for (const data of this.#sources) {
      const found = Object.keys(data).find((key) => data[key] === value);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
