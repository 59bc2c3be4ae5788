import { BoundedMap } from '../../core/bounded-map.ts';
import type { Database } from '../../database/database.ts';
import { readVersion } from '../../database/table-version.ts';
import type { Searched } from './answer.ts';
import type { Search } from './question.ts';

/** Pages nearer to the start are found as fast without a cursor. */
const LEAST_OFFSET = 1000;
/** Searches with remembered positions, and positions of each. */
const SEARCHES = 200;
const MOST = 50;
/** Maximum characters of a search; a longer one is rarely continued. */
const MOST_CHARACTERS = 1000;

/** A cursor, and the number of rows up to it. */
export interface Position {
  readonly offset: number;
  readonly after: string;
}

interface Known {
  readonly version: string;
  readonly positions: Position[];
}

/** True for a page by offset that is worth a look. A transaction sees its own changes. */
export function isDeep({ offset, cursor, words }: Search, database: Database): boolean {
  return offset >= LEAST_OFFSET && cursor === undefined && words === undefined && !database.isInTransaction;
}

/** What a search depends on, without its page. */
function toKey({ values, limitSlot }: Search): string {
  return `${values.shape}|${JSON.stringify(values.list.slice(0, limitSlot))}`;
}

/**
 * Cursors of deep pages, until a row of their table changes. The database reads all rows before an offset, so who follows
 * page after page by offset would read the table once for each page.
 */
export class Positions {
  readonly #known = new BoundedMap<Known>(SEARCHES);

  /** Reads a page, from the last position before it if there is one. */
  async read(search: Search, database: Database, read: (from?: Position) => Promise<Searched>): Promise<Searched> {
    const key = toKey(search);
    const { table } = search.source.schema;
    const others = search.conditions.some(({ within }) => within !== undefined) || search.source.joins.length > 0;
    const isKnowable = key.length <= MOST_CHARACTERS && !others && search.rows === undefined;
    // Before the page is read: a row that changes meanwhile ends the position.
    const version = isKnowable ? await readVersion(database, [table]).catch(() => undefined) : undefined;
    if (version === undefined) return read();
    const found = await read(this.#find(key, version, search.offset));
    if (found.next !== undefined) this.#keep(key, version, { offset: search.offset + search.limit, after: found.next });
    return found;
  }

  /** The last position at or before the offset. */
  #find(key: string, version: string, offset: number): Position | undefined {
    const known = this.#known.get(key);
    if (known?.version !== version) return undefined;
    const before = known.positions.filter((position) => position.offset <= offset);
    return before.sort((a, b) => b.offset - a.offset)[0];
  }

  #keep(key: string, version: string, position: Position): void {
    const known = this.#known.get(key);
    if (known?.version !== version) this.#known.set(key, { version, positions: [position] });
    else if (!known.positions.some(({ offset }) => offset === position.offset)) {
      known.positions.push(position);
      if (known.positions.length > MOST) known.positions.shift();
    }
  }
}
