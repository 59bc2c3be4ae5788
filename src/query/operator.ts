import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../database/database.ts';
import type { SourceColumn, SourceLink } from './source.ts';

/** A place in a statement for a value that each run binds anew. */
export class Slot {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

export type Fragment = RawBuilder<unknown>;

/** What of a column an operator compares. */
interface Operator {
  /** `one` value, a `list` bound as one JSON text, a `flag` (1 or 0), or a `part` of a text. */
  readonly takes: 'one' | 'list' | 'flag' | 'part';
  toSql(column: Fragment, slot: Slot, dialect: Dialect): Fragment;
}

/** Items of a JSON list that is bound as one parameter, as rows of a column `value`. */
export function listItems(slot: Slot, dialect: Dialect, type: SourceColumn['type']): Fragment {
  if (dialect === 'sqlite') return sql`(select value from json_each(${slot}))`;
  const cast = type === 'text' || type === 'date' || type === 'moment' || type === 'json' ? 'text' : 'numeric';
  return sql`(select cast(value as ${sql.raw(cast)}) from json_array_elements_text(cast(${slot} as json)))`;
}

const like = (dialect: Dialect): Fragment => (dialect === 'sqlite' ? sql`like` : sql`ilike`);
const part: Operator = {
  takes: 'part',
  toSql: (column, slot, dialect) => sql`${column} ${like(dialect)} ${slot} escape '\\'`,
};

/** Operators of one value by name; `between` is `gte` and `lte`. Lists are {@link listItems}. */
const OPERATORS = {
  eq: { takes: 'one', toSql: (column, slot) => sql`${column} = ${slot}` },
  ne: { takes: 'one', toSql: (column, slot) => sql`${column} is distinct from ${slot}` },
  lt: { takes: 'one', toSql: (column, slot) => sql`${column} < ${slot}` },
  lte: { takes: 'one', toSql: (column, slot) => sql`${column} <= ${slot}` },
  gt: { takes: 'one', toSql: (column, slot) => sql`${column} > ${slot}` },
  gte: { takes: 'one', toSql: (column, slot) => sql`${column} >= ${slot}` },
  in: { takes: 'list', toSql: (column) => column },
  nin: { takes: 'list', toSql: (column) => column },
  contains: part,
  starts: part,
  ends: part,
  null: { takes: 'flag', toSql: (column, slot) => sql`(${column} is null) = cast(${slot} as boolean)` },
  has: {
    takes: 'one',
    toSql: (column, slot, dialect) =>
      dialect === 'sqlite'
        ? sql`exists (select 1 from json_each(${column}) as item where item.value = ${slot})`
        : sql`${column} @> to_jsonb(cast(${slot} as text))`,
  },
} as const satisfies Record<string, Operator>;

export type OperatorName = keyof typeof OPERATORS;
export const operators: Readonly<Record<OperatorName, Operator>> = OPERATORS;
/** What `filter[column][…]` may name. */
export const OPERATOR_NAMES: readonly string[] = [...Object.keys(OPERATORS), 'between'];

/** Text for a LIKE that means itself: `%` and `_` are no wild cards. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** One condition of a search; `slot` is the index of its value. */
export interface Condition {
  readonly column: SourceColumn | SourceLink;
  readonly operator: OperatorName;
  readonly slot: number;
}

export const toRef = ({ alias, column }: SourceColumn): Fragment => sql`${sql.ref(`${alias}.${column}`)}`;

const isLink = (column: SourceColumn | SourceLink): column is SourceLink => 'own' in column;

/** A condition as SQL; `primary` is the searched table's key. */
export function toCondition(
  { column, operator, slot: index }: Condition,
  primary: SourceColumn,
  dialect: Dialect,
): Fragment {
  const slot = new Slot(index);
  const type = isLink(column) ? 'integer' : column.type;
  const ref = isLink(column) ? sql`${sql.ref(`l.${column.other}`)}` : toRef(column);
  const test = (): Fragment => {
    if (operator === 'in') return sql`${ref} in ${listItems(slot, dialect, type)}`;
    if (operator === 'nin') return sql`(${ref} is null or ${ref} not in ${listItems(slot, dialect, type)})`;
    return operators[operator].toSql(ref, slot, dialect);
  };
  if (!isLink(column)) return test();
  const own = sql.ref(`l.${column.own}`);
  return sql`exists (select 1 from ${sql.table(column.table)} as l where ${own} = ${toRef(primary)} and ${test()})`;
}

/** All words of a JSON list in at least one of the columns each, whatever their number. */
export function toWordsCondition(columns: readonly SourceColumn[], slotIndex: number, dialect: Dialect): Fragment {
  if (columns.length === 0) return sql`1 = 0`;
  const slot = new Slot(slotIndex);
  const items = dialect === 'sqlite' ? sql`json_each(${slot})` : sql`json_array_elements_text(cast(${slot} as json))`;
  const tests = columns.map((column) => sql`coalesce(${toRef(column)}, '') ${like(dialect)} word.value escape '\\'`);
  return sql`not exists (select 1 from ${items} as word where not (${sql.join(tests, sql` or `)}))`;
}
