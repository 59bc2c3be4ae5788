import { sql } from 'kysely';
import type { Dialect } from '../database/database.ts';
import { toRef } from './condition.ts';
import type { Order } from './cursor.ts';
import { type Fragment, Slot, toLimit } from './operator.ts';
import type { Cursor } from './search.ts';

/** The parts of a statement that reads a page. */
export interface PageQuery {
  readonly list: Fragment;
  /** Names of the listed columns. */
  readonly names: readonly string[];
  readonly from: Fragment;
  readonly tests: readonly Fragment[];
  readonly order: readonly Order[];
  readonly cursor: Cursor | undefined;
  /** Index of the row limit; then the offset, then the sum of both. */
  readonly limitSlot: number;
  /** True if no index on the order finds the rows: then one condition for all parts is cheapest. */
  readonly isWhole: boolean;
  /** A condition without columns; if it is false, the page is empty and nothing is read. Default: none. */
  readonly gate?: Fragment;
}

const PART = 'treadle_part';

export function toOrderBy(order: readonly Order[], isReversed: boolean, dialect: Dialect, byName = false): Fragment {
  const parts = order.map(({ column, isDescending }) => {
    const isDown = isDescending !== isReversed;
    const ref = byName ? sql`${sql.ref(column.name)}` : toRef(column, dialect);
    // SQLite sorts nulls first when ascending. PostgreSQL must be told to, and its indexes are declared the same
    // way. A key has no nulls.
    const isTold = dialect === 'postgres' && column.type !== 'integer';
    const nulls = isTold ? (isDown ? sql` nulls last` : sql` nulls first`) : sql``;
    return sql`${ref} ${isDown ? sql`desc` : sql`asc`}${nulls}`;
  });
  return sql.join(parts);
}

const join = (parts: readonly Fragment[]): Fragment => sql.join([...parts], sql` and `);

/**
 * Conditions for rows past the cursor's value in one column, in order: the bound, then nulls if they sort after
 * it.
 */
function listBounds({ column, isDescending }: Order, isNull: boolean, slot: Slot, at: Bounds): Fragment[] {
  const ref = toRef(column, at.dialect);
  const isDown = isDescending !== at.isReversed;
  if (isNull) return isDown ? [] : [sql`${ref} is not null`];
  if (!isDown) return [sql`${ref} > ${slot}`];
  return column.isNullable ? [sql`${ref} < ${slot}`, sql`${ref} is null`] : [sql`${ref} < ${slot}`];
}

interface Bounds {
  readonly dialect: Dialect;
  readonly isReversed: boolean;
}

/**
 * Conditions for the rows past a cursor, in parts that follow each other: first rows that share all its values
 * but the last, then all but the last two, and so on. An index finds the start of each part directly, however
 * deep the page and however many rows share a value.
 */
function listParts(order: readonly Order[], { slot: first, nulls }: Cursor, at: Bounds): Fragment[] {
  const parts: Fragment[] = [];
  for (let level = order.length - 1; level >= 0; level -= 1) {
    const same = order.slice(0, level).map(({ column }, index) => {
      const ref = toRef(column, at.dialect);
      return nulls[index] ? sql`${ref} is null` : sql`${ref} = ${new Slot(first + index)}`;
    });
    const bounds = listBounds(order[level] as Order, nulls[level] === true, new Slot(first + level), at);
    parts.push(...bounds.map((bound) => join([...same, bound])));
  }
  return parts;
}

const toWhere = (tests: readonly Fragment[]): Fragment => (tests.length === 0 ? sql`` : sql`where ${join(tests)}`);

/** Compiles a page, from the start or from a cursor. */
export function compilePages(query: PageQuery, dialect: Dialect): Fragment {
  const { list, names, from, tests, order, cursor, limitSlot, isWhole, gate } = query;
  const isReversed = cursor?.direction === 'before';
  const orderBy = toOrderBy(order, isReversed, dialect);
  const limit =
    gate === undefined ? toLimit(limitSlot, dialect) : sql`case when ${gate} then ${new Slot(limitSlot)} else 0 end`;
  const window = sql`limit ${limit} offset ${new Slot(limitSlot + 1)}`;
  const parts = cursor === undefined ? [] : listParts(order, cursor, { dialect, isReversed });
  if (cursor === undefined || isWhole || parts.length <= 1) {
    const past = cursor === undefined ? [] : [parts.length === 0 ? sql`1 = 0` : sql`(${sql.join(parts, sql` or `)})`];
    return sql`select ${list} ${from} ${toWhere([...tests, ...past])} order by ${orderBy} ${window}`;
  }
  const reach = toLimit(limitSlot + 2, dialect);
  const shown = sql.join(names.map((name) => sql`${sql.ref(name)}`));
  const toPart = (part: Fragment, index: number): Fragment => {
    const page = sql`select ${list} ${from} ${toWhere([...tests, part])} order by ${orderBy} limit ${reach}`;
    const place = dialect === 'sqlite' ? sql`` : sql`, ${sql.lit(index)} as ${sql.ref(PART)}`;
    return sql`select ${shown}${place} from (${page}) as ${sql.ref(`p${index}`)}`;
  };
  const all = sql.join(parts.map(toPart), sql` union all `);
  // SQLite runs the parts in order and stops when the page is full. PostgreSQL does not guarantee the order, so
  // it sorts by the part's number.
  if (dialect === 'sqlite') return sql`${all} ${window}`;
  const sorted = sql`order by ${sql.ref(PART)}, ${toOrderBy(order, isReversed, dialect, true)}`;
  return sql`select ${shown} from (${all}) as pages ${sorted} ${window}`;
}
