import { sql } from 'kysely';
import type { Dialect } from '../../../database/database.ts';
import type { OperatorName } from '../../../model/filter/operator.ts';
import type { RelatedKeys, SourceColumn } from '../source/source.ts';
import type { Fragment } from '../sql/exact-double.ts';
import type { FixedTerm } from './fixed-term.ts';
import { isListed, matches, Slot, toSign } from './operator.ts';

/** One condition of a search. */
export interface Condition {
  /** Undefined if the condition only asks whether a related row exists. */
  readonly column: SourceColumn | undefined;
  readonly operator: OperatorName;
  /**
   * Index of its value; for a JSON column the first of three: the path, the value as text, the value as number.
   */
  readonly slot: number;
  /** Written with its value, in place of the slot: the condition of a partial index. */
  readonly fixed?: FixedTerm;
  /** True if it follows from another condition of the search. */
  readonly isImplied?: true;
  /** For `null`: true if the value must be missing. */
  readonly isOn?: boolean;
  /** For a JSON column: true for a value at a path, false for the items of its list. */
  readonly hasPath?: boolean;
  /** The relation that the column belongs to. */
  readonly within?: RelatedKeys;
}

/** Maximum steps of a path, and characters of a step. */
const MOST_STEPS = 8;
const STEP_CHARACTERS = 64;
/** Characters that a quoted step cannot hold in both databases. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
const REFUSED = /["\\[\]\u0000-\u001f\u007f]/;

/**
 * A path within a JSON column in the syntax of both databases: `$."colour"`, `$."sizes"[0]`. A number is an index
 * from 0. Undefined if a step is empty, too long or has a refused character, or if there are too many steps.
 */
export function toJsonPath(steps: readonly string[]): string | undefined {
  if (steps.length > MOST_STEPS) return undefined;
  const isOdd = (step: string): boolean => step === '' || step.length > STEP_CHARACTERS || REFUSED.test(step);
  if (steps.some(isOdd)) return undefined;
  return `$${steps.map((step) => (/^\d{1,6}$/.test(step) ? `[${Number(step)}]` : `."${step}"`)).join('')}`;
}

/** The value at a path, in forms that both databases compare alike. */
export interface JsonValue {
  /** A text, `true` or `false`; null for anything else. */
  readonly text: Fragment;
  /** A number; null for anything else. */
  readonly number: Fragment;
  readonly isNothing: Fragment;
  /** The items of a list, as rows called `item`. */
  readonly items: Fragment;
}

export function buildJsonValue(column: Fragment, path: Slot, dialect: Dialect): JsonValue {
  if (dialect === 'sqlite') {
    // A column may hold invalid JSON that another program wrote: treated as null instead of failing.
    const document = sql`case when json_valid(${column}) then ${column} end`;
    const type = sql`json_type(${document}, ${path})`;
    const value = sql`json_extract(${document}, ${path})`;
    return {
      text: sql`case ${type} when 'text' then ${value} when 'true' then 'true' when 'false' then 'false' end`,
      number: sql`case when ${type} in ('integer', 'real') then ${value} end`,
      isNothing: sql`coalesce(${type}, 'null') = 'null'`,
      items: sql`json_each(case when ${type} = 'array' then ${document} end, ${path}) as item`,
    };
  }
  const value = sql`jsonb_path_query_first(${column}, cast(${path} as jsonpath), '{}', true)`;
  return {
    text: castText(value),
    number: castNumber(value),
    isNothing: sql`coalesce(jsonb_typeof(${value}), 'null') = 'null'`,
    items: sql`jsonb_array_elements(case when jsonb_typeof(${value}) = 'array' then ${value} end) as item`,
  };
}

const castText = (value: Fragment): Fragment =>
  sql`(case when jsonb_typeof(${value}) in ('string', 'boolean') then ${value} #>> '{}' end) collate "C"`;
const castNumber = (value: Fragment): Fragment =>
  sql`case when jsonb_typeof(${value}) = 'number' then cast(${value} as numeric) end`;

/** An item of a list as text and as number. */
function toItem(dialect: Dialect): Pick<JsonValue, 'text' | 'number'> {
  if (dialect === 'postgres') return { text: castText(sql`item`), number: castNumber(sql`item`) };
  return {
    text: sql`case item.type when 'text' then item.value when 'true' then 'true' when 'false' then 'false' end`,
    number: sql`case when item.type in ('integer', 'real') then item.value end`,
  };
}

export interface JsonOperands {
  readonly path: Slot;
  /** The value as text, and as number if it is one. */
  readonly text: Slot;
  readonly number: Slot;
}

const asNumber = (slot: Slot, dialect: Dialect): Fragment =>
  dialect === 'sqlite' ? sql`${slot}` : sql`cast(${slot} as numeric)`;
const asText = (slot: Slot, dialect: Dialect): Fragment =>
  dialect === 'sqlite' ? sql`${slot}` : sql`cast(${slot} as text)`;

type Pair = Pick<JsonValue, 'text' | 'number'>;

const isOne = ({ text, number }: Pair, slots: JsonOperands, dialect: Dialect, sign = sql`=`): Fragment =>
  sql`(${text} ${sign} ${asText(slots.text, dialect)} or ${number} ${sign} ${asNumber(slots.number, dialect)})`;

const isAny = ({ text, number }: Pair, slots: JsonOperands, dialect: Dialect): Fragment =>
  sql`(${isListed(text, slots.text, dialect, 'text')} or ${isListed(number, slots.number, dialect, 'number')})`;

/**
 * A condition on a JSON column: on the value at its path, or without a path on the items of the column's list.
 * Texts compare with texts, numbers with numbers.
 */
export function buildJsonCondition(
  { operator, isOn, hasPath }: Pick<Condition, 'operator' | 'isOn' | 'hasPath'>,
  column: Fragment,
  slots: JsonOperands,
  dialect: Dialect,
): Fragment {
  const value = buildJsonValue(column, slots.path, dialect);
  const among = (test: Fragment): Fragment => sql`exists (select 1 from ${value.items} where ${test})`;
  const item = toItem(dialect);
  if (operator === 'null') return isOn ? value.isNothing : sql`not (${value.isNothing})`;
  if (operator === 'has') return among(isOne(item, slots, dialect));
  const isList = operator === 'in' || operator === 'nin';
  const pair = hasPath ? value : item;
  const test = isList ? isAny(pair, slots, dialect) : isOne(pair, slots, dialect, toSign(operator));
  const found = hasPath ? test : among(test);
  if (operator === 'ne' || operator === 'nin') return sql`(${found}) is not true`;
  if (operator === 'contains' || operator === 'starts' || operator === 'ends') {
    return matches(hasPath ? value.text : sql`null`, slots.text, dialect);
  }
  return found;
}

export const toPathSlots = (first: number): JsonOperands => ({
  path: new Slot(first),
  text: new Slot(first + 1),
  number: new Slot(first + 2),
});
