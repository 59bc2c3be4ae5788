import { sql } from 'kysely';
import type { Dialect } from '../../../database/database.ts';
import type { OperatorName } from '../../../model/filter/operator.ts';
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
 * A slot of `limit`. SQLite reads a bare parameter there to plan with, and prepares the statement again at each run, which
 * takes longer than many pages.
 */
export const toLimit = (slot: number, dialect: Dialect): Fragment =>
  dialect === 'sqlite' ? sql`+${new Slot(slot)}` : sql`${new Slot(slot)}`;

type ItemType = SourceColumn['type'] | 'whole';

const CASTS: Readonly<Partial<Record<ItemType, string>>> = {
  ...{ integer: 'bigint', whole: 'bigint', flag: 'bigint', decimal: 'numeric' },
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
