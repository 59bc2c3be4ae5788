import { type RawBuilder, sql } from 'kysely';
import { BitSet } from '../core/bit-set.ts';
import type { Row } from './database.ts';

/**
 * Counts the rows that have words by the pages of an FTS5 index. FTS5 itself gives each row with a common word to SQLite one
 * by one, which takes ten times as long. The format is that of SQLite 3.43 and later (`fts5_index.c`), for a contentless
 * index with `contentless_delete` and `detail=none`. A page that is not as expected is not guessed at: FTS5 then counts.
 */

/** `version` in the settings of an index; FTS5 writes another number if the format differs. */
const FORMAT = '4';
/** Follows the first four bytes of a structure that has what a contentless index deletes. */
const STRUCTURE = [0xff, 0, 0, 1];
/** Higher ids would take more than 8 MB. */
const MOST_ID = 2 ** 26;

/** Parts of the answer that are no pages of a word. */
const PARTS = { structure: -1, format: -2, deleted: -3, except: -4, few: -5 } as const;

/** The parts of the statement that are no pages. */
export interface PagesQuery {
  /** The table of the index. */
  readonly index: string;
  /** The JSON list of the words as the index has them: a parameter. */
  readonly terms: RawBuilder<unknown>;
  /** Gives the number of the rows, or null if they are so many that their pages are worth reading. */
  readonly few: RawBuilder<unknown>;
  /** Gives the JSON list of the ids not to count, or null if they are too many. */
  readonly except: RawBuilder<unknown>;
}

/** The statement that reads what {@link countByPages} needs, at one moment. */
export function toPagesSql({ index, terms, few, except }: PagesQuery): RawBuilder<unknown> {
  const [data, idx, config] = ['data', 'idx', 'config'].map((part) => sql.table(`${index}_${part}`));
  const first = sql`(select pgno >> 1 from ${idx} where segid = s.segment and term <= t.term order by term desc limit 1)`;
  const last = sql`(select pgno >> 1 from ${idx} where segid = s.segment and term > t.term order by term limit 1)`;
  const page = sql`s.segment, d.id & 2147483647, d.block`;
  const part = (name: keyof typeof PARTS): RawBuilder<unknown> => sql.lit(PARTS[name]);
  const isMany = sql`(select total from treadle_few) is null`;
  return sql`select * from (with treadle_few(total) as materialized (${few}),
    treadle_term(word, term) as materialized (select key, cast(value as blob) from json_each(${terms})),
    treadle_segment(segment) as materialized (select min(segid) from ${idx} where ${isMany} union all
      select (select min(segid) from ${idx} where segid > s.segment) from treadle_segment as s where s.segment is not null)
    select ${part('few')} as word, 0 as segment, 0 as page, total as block from treadle_few
    union all select ${part('structure')}, 0, 0, block from ${data} where id = 10 and ${isMany}
    union all select ${part('format')}, 0, 0, v from ${config} where k = 'version' and ${isMany}
    union all select ${part('except')}, 0, 0, (${except}) where ${isMany}
    union all select ${part('deleted')}, ${page} from treadle_segment as s cross join ${data} as d
      where d.id between (s.segment + 65536) << 37 and ((s.segment + 65536) << 37) + 2147483647
    union all select t.word, ${page} from treadle_segment as s cross join treadle_term as t cross join ${data} as d
      where d.id between (s.segment << 37) + coalesce(${first}, 1) and (s.segment << 37) + coalesce(${last}, 2147483647))`;
}

class UnknownFormat extends Error {}

/** Reads one page, or another block of the index. */
class Block {
  at: number;
  readonly bytes: Uint8Array;

  constructor(bytes: unknown, at = 0) {
    if (!(bytes instanceof Uint8Array)) throw new UnknownFormat();
    this.bytes = bytes;
    this.at = at;
  }

  /** The number at the position, in one to nine bytes; the position moves behind it. */
  next(): number {
    let value = 0;
    for (let count = 0; count < 9; count += 1) {
      const byte = this.bytes[this.at];
      if (byte === undefined) throw new UnknownFormat();
      this.at += 1;
      if (count === 8) return value * 256 + byte;
      if (byte < 128) return value * 128 + byte;
      value = value * 128 + (byte - 128);
    }
    throw new UnknownFormat();
  }

  /** A number of fixed length. */
  fixed(at: number, length: number): number {
    let value = 0;
    for (let index = at; index < at + length; index += 1) value = value * 256 + (this.bytes[index] ?? 0);
    return value;
  }
}

interface Segment {
  readonly first: number;
  readonly last: number;
}

/** The segments of the index. What a merge has moved to another segment may still have pages. */
function readSegments(block: unknown): Map<number, Segment> {
  const structure = new Block(block, 8);
  if (STRUCTURE.some((byte, index) => structure.bytes[4 + index] !== byte)) throw new UnknownFormat();
  const levels = structure.next();
  const count = structure.next();
  structure.next();
  const segments = new Map<number, Segment>();
  for (let level = 0; level < levels; level += 1) {
    structure.next();
    for (let left = structure.next(); left > 0; left -= 1) {
      const id = structure.next();
      segments.set(id, { first: structure.next(), last: structure.next() });
      for (let skipped = 0; skipped < 5; skipped += 1) structure.next();
    }
  }
  if (segments.size !== count) throw new UnknownFormat();
  return segments;
}

/** Adds the ids of a hash page. */
function readDeleted(block: unknown, deleted: BitSet): void {
  const page = new Block(block);
  const length = page.bytes[0] === 4 ? 4 : 8;
  if (page.bytes[1] !== 0) deleted.add(0);
  for (let at = 8; at + length <= page.bytes.length; at += length) {
    const id = page.fixed(at, length);
    if (id !== 0 && id < MOST_ID) deleted.add(id);
  }
}

/** Compares what a page has of a word with the word. */
function compare(bytes: readonly number[], term: Uint8Array): number {
  for (const [index, byte] of bytes.entries()) {
    const other = term[index];
    if (other === undefined) return 1;
    if (byte !== other) return byte - other;
  }
  return bytes.length - term.length;
}

/** Where the ids of a word begin and end on a page; undefined if the word does not begin there. */
function seek(page: Block, size: number, term: Uint8Array): { start: number; end: number } | undefined {
  const list = new Block(page.bytes, size);
  let bytes: number[] = [];
  let start: number | undefined;
  for (let offset = 0, index = 0; list.at < page.bytes.length; index += 1) {
    offset += list.next();
    if (start !== undefined) return { start, end: offset };
    page.at = offset;
    const shared = index === 0 ? 0 : page.next();
    const added = page.next();
    bytes = [...bytes.slice(0, shared), ...page.bytes.subarray(page.at, page.at + added)];
    const order = compare(bytes, term);
    if (order > 0) return undefined;
    if (order === 0) start = page.at + added;
  }
  return start === undefined ? undefined : { start, end: size };
}

interface Found {
  readonly hits: BitSet;
  /** Ids that this segment has, but that were deleted or written again. */
  readonly deleted: BitSet | undefined;
}

/** Adds the ids of one page. The first is whole, the others are the difference to the one before. */
function readIds(page: Block, end: number, { hits, deleted }: Found): void {
  const { bytes } = page;
  let bits = hits.reserve(0);
  let room = bits.length * 8;
  let id = 0;
  // This loop runs for each row with the word, and nearly all steps are one byte.
  for (let at = page.at, isFirst = true; at < end; isFirst = false) {
    let step = bytes[at] as number;
    if (step < 128) {
      at += 1;
    } else {
      page.at = at;
      step = page.next();
      at = page.at;
    }
    // A zero marks what another format deletes.
    if ((step === 0 && !isFirst) || step >= MOST_ID || id >= MOST_ID) throw new UnknownFormat();
    id = (id + step) | 0;
    if (id >= room) {
      bits = hits.reserve(id);
      room = bits.length * 8;
    }
    if (deleted === undefined || !deleted.has(id)) bits[id >> 3] = (bits[id >> 3] as number) | (1 << (id & 7));
  }
}

/** Adds the rows of one word in one segment. Its ids may continue on the next pages. */
function readWord(pages: readonly Row[], { first, last }: Segment, term: Uint8Array, found: Found): void {
  let next: number | undefined;
  for (const row of pages) {
    const number = Number(row.page);
    if (number < first || number > last) continue;
    if (next !== undefined && number !== next) throw new UnknownFormat();
    const page = new Block(row.block);
    const size = page.fixed(2, 2);
    const hasTerms = size < page.bytes.length;
    let place: { start: number; end: number } | undefined;
    if (next === undefined) place = hasTerms ? seek(page, size, term) : undefined;
    else place = { start: 4, end: hasTerms ? new Block(page.bytes, size).next() : size };
    if (place === undefined) continue;
    page.at = place.start;
    readIds(page, place.end, found);
    if (place.end < size) return;
    next = number + 1;
  }
  if (next !== undefined && next <= last) throw new UnknownFormat();
}

const byPage = (a: Row, b: Row): number => Number(a.page) - Number(b.page);

/** The rows in groups by segment, each in the order of its pages. */
function bySegment(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const segment = Number(row.segment);
    const group = groups.get(segment);
    if (group === undefined) groups.set(segment, [row]);
    else group.push(row);
  }
  for (const group of groups.values()) group.sort(byPage);
  return groups;
}

function count(rows: readonly Row[], terms: readonly string[]): number | undefined {
  const one = (part: number): unknown => rows.find(({ word }) => word === part)?.block;
  const few = one(PARTS.few);
  if (typeof few === 'number') return few;
  const except = one(PARTS.except);
  if (String(one(PARTS.format)) !== FORMAT || typeof except !== 'string') return undefined;
  const segments = readSegments(one(PARTS.structure));
  const deleted = new Map<number, BitSet>();
  for (const { segment, block } of rows.filter(({ word }) => word === PARTS.deleted)) {
    const ids = deleted.get(Number(segment)) ?? new BitSet();
    deleted.set(Number(segment), ids);
    readDeleted(block, ids);
  }
  const sets = terms.map((term, index) => {
    const hits = new BitSet();
    for (const [id, pages] of bySegment(rows.filter(({ word }) => word === index))) {
      const segment = segments.get(id);
      if (segment === undefined) throw new UnknownFormat();
      readWord(pages, segment, Buffer.from(term), { hits, deleted: deleted.get(id) });
    }
    return hits;
  });
  const [all, ...others] = sets;
  if (all === undefined) return undefined;
  for (const other of others) all.intersect(other);
  for (const id of JSON.parse(except) as number[]) if (id >= 0 && id < MOST_ID) all.delete(id);
  return all.size;
}

/**
 * The number of rows that have all of the words; undefined if the index must count them itself.
 *
 * @param terms The words, as given to the statement.
 */
export function countByPages(rows: readonly Row[], terms: readonly string[]): number | undefined {
  try {
    return count(rows, terms);
  } catch (error) {
    if (error instanceof UnknownFormat) return undefined;
    throw error;
  }
}
