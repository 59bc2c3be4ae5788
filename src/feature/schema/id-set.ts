/** Ids of one page of {@link IdSet}: as many as a number has bits that JavaScript can set. */
const PAGE = 32;

/** A set of ids that takes a bit for each where they lie close together: a million rows of an import in some 2 MB. */
export class IdSet {
  readonly #pages = new Map<number, number>();

  has(id: number): boolean {
    const bits = this.#pages.get(Math.floor(id / PAGE));
    return bits !== undefined && (bits & (1 << (id % PAGE))) !== 0;
  }

  add(id: number): void {
    const page = Math.floor(id / PAGE);
    this.#pages.set(page, (this.#pages.get(page) ?? 0) | (1 << (id % PAGE)));
  }
}
