import { sql } from 'kysely';
import type { Dialect } from '../../../database/database.ts';
import type { SourceColumn } from '../source/source.ts';
import { type Fragment, fromExactItem, fromItem } from '../sql/exact-double.ts';

/** A placeholder in a compiled statement: each run binds its own value. */
export class Slot {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

/**
 * How an operator's value is parsed: `one`, a `list` (bound as one JSON text), a `flag` (1 or 0), a `part` of a
 * text.
 */
export type Takes = 'one' | 'list' | 'flag' | 'part';

const OPERATORS = {
  ...{ eq: 'one', ne: 'one', lt: 'one', lte: 'one', gt: 'one', gte: 'one', has: 'one' },
  // For a period (a year, month or day), which means every time in it. The parser makes these; a request cannot send them.
  ...{ during: 'one', outside: 'one', duringAny: 'list', outsideAll: 'list' },
  ...{ in: 'list', nin: 'list', contains: 'part', starts: 'part', ends: 'part', null: 'flag' },
} as const satisfies Record<string, Takes>;

/** Names of operators with one value; `between` becomes `gte` and `lte`. */
export type OperatorName = keyof typeof OPERATORS;
export const operators: Readonly<Record<OperatorName, Takes>> = OPERATORS;
export { OPERATOR_NAMES } from '../../../model/operator-names.ts';

/** Escapes text for LIKE, so that `%` and `_` match themselves. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/**
 * A slot of `limit`. SQLite reads a bare parameter there to plan with, and prepares the statement again at each run, which
 * takes longer than many pages.
 */
export const toLimit = (slot: number, dialect: Dialect): Fragment =>
  dialect === 'sqlite' ? sql`+${new Slot(slot)}` : sql`${new Slot(slot)}`;

type ItemType = SourceColumn['type'] | 'whole';

const CASTS: Readonly<Partial<Record<ItemType, string>>> = {
  ...{ integer: 'bigint', whole: 'bigint', flag: 'bigint' },
};

export const toItemType = ({ type, isWhole }: SourceColumn): ItemType => (isWhole ? 'whole' : type);

/** Tests membership in a JSON list that is bound as one parameter, however long. */
export function isListed(value: Fragment, slot: Slot, dialect: Dialect, type: ItemType): Fragment {
  const isDouble = type === 'number';
  if (dialect === 'sqlite') {
    const item = isDouble ? fromExactItem(sql`value`, sql`type`) : sql`value`;
    return sql`${value} in (select ${item} from json_each(${slot}))`;
  }
  if (isDouble) {
    return sql`${value} = any(array(select ${fromItem(sql`item`)} from json_array_elements(cast(${slot} as json)) as item))`;
  }
  // An array, so that the planner can use an index on the column.
  const cast = sql.raw(CASTS[type] ?? 'text');
  return sql`${value} = any(array(select cast(item as ${cast}) from json_array_elements_text(cast(${slot} as json)) as item))`;
}

/** The last character that follows a period's text in a time. */
const LAST = sql`'~'`;

/** Tests whether a time is in a period, which is the start of the times' text. */
export function isDuring(value: Fragment, slot: Slot, dialect: Dialect): Fragment {
  const period = dialect === 'sqlite' ? sql`${slot}` : sql`cast(${slot} as text)`;
  return sql`(${value} >= ${period} and ${value} <= ${period} || ${LAST})`;
}

/** The same for a JSON list of periods and times. */
export function isDuringAny(value: Fragment, slot: Slot, dialect: Dialect): Fragment {
  const from =
    dialect === 'sqlite'
      ? sql`(select value as item from json_each(${slot})) as period`
      : sql`json_array_elements_text(cast(${slot} as json)) as period(item)`;
  return sql`exists (select 1 from ${from} where ${value} >= period.item and ${value} <= period.item || ${LAST})`;
}

const like = (dialect: Dialect): Fragment => (dialect === 'sqlite' ? sql`like` : sql`ilike`);

export const matches = (text: Fragment, slot: Slot, dialect: Dialect): Fragment =>
  sql`${text} ${like(dialect)} ${slot} escape '\\'`;

const SIGNS: Readonly<Partial<Record<OperatorName, string>>> = { eq: '=', lt: '<', lte: '<=', gt: '>', gte: '>=' };

/** The SQL sign (`=`, `<`, …); undefined for the other operators. */
export function toSign(operator: OperatorName): Fragment | undefined {
  const sign = SIGNS[operator];
  return sign === undefined ? undefined : sql.raw(sign);
}
