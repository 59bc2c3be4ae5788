import type { Database } from '../../database/database.ts';
import type { TableVersions } from '../../database/version/table-version.ts';
import { Cache, sizeOfKey } from '../cache.ts';
import type { SearchResult } from './answer.ts';
import type { Search } from './search-shape.ts';

/** Pages nearer to the start are found as fast without a cursor. */
const LEAST_OFFSET = 1000;
/**
 * The rows after a position are read whole, those before an offset are only counted: a position helps where at most one row in so
 * many lies between.
 */
const FAR = 100;
/** Bytes of cached positions, and positions of a search. */
const MOST_BYTES = 2_097_152;
const MOST = 50;
/** What the positions of a search may take: a cursor is a few short values. */
const POSITIONS_BYTES = 8192;
/** Maximum characters of a search; a longer one is rarely continued. */
const MOST_CHARACTERS = 1000;

/** A cursor, and the number of rows up to it. */
export interface Position {
  readonly offset: number;
  readonly after: string;
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
  readonly #known = new Cache<Position[]>(MOST_BYTES);

  /** Reads a page, from the last position before it if there is one. */
  async read(
    search: Search,
    database: Database,
    read: (from?: Position) => Promise<SearchResult>,
  ): Promise<SearchResult> {
    const key = toKey(search);
    const { table } = search.source.schema;
    const conditions = [...search.conditions, ...(search.alternatives ?? []).flat()];
    const others = conditions.some(({ within }) => within !== undefined) || search.source.joins.length > 0;
    const isKnowable = key.length <= MOST_CHARACTERS && !others && search.rows === undefined;
    // Before the page is read: a row that changes meanwhile ends the position.
    const recent = database.recentVersions;
    const versions = isKnowable ? (recent.find() ?? (await recent.read().catch(() => undefined))) : undefined;
    if (versions === undefined) return read();
    const found = await read(this.#find(key, versions, search));
    if (found.next === undefined) return found;
    const positions = this.#known.find(key, versions) ?? this.#begin(key, table, versions);
    const offset = search.offset + search.limit;
    if (!positions.some((position) => position.offset === offset)) positions.push({ offset, after: found.next });
    if (positions.length > MOST) positions.shift();
    return found;
  }

  /** The last position at or shortly before the offset. */
  #find(key: string, versions: TableVersions, { offset, limit }: Search): Position | undefined {
    const reach = Math.max(limit, offset / FAR);
    const near = (this.#known.find(key, versions) ?? []).filter(
      (position) => position.offset <= offset && offset - position.offset <= reach,
    );
    return near.sort((a, b) => b.offset - a.offset)[0];
  }

  #begin(key: string, table: string, versions: TableVersions): Position[] {
    const positions: Position[] = [];
    this.#known.set(key, positions, { bytes: sizeOfKey(key) + POSITIONS_BYTES, basis: versions.basisOf([table]) });
    return positions;
  }
}
