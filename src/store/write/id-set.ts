/** Ids per page of {@link IdSet}: JavaScript's bitwise operators work on 32 bits. */
const PAGE = 32;

/** A set of ids that takes one bit per id where ids are dense: some 2 MB for an import of a million rows. */
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
