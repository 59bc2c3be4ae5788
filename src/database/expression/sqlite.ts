import { isExact } from '../../model/expression/make.ts';
import { MOST_DIGITS, NUMBER_FACTOR, NUMBER_FACTORS, UNIT_BOUND } from '../../model/expression/tree.ts';
import { toLiteral } from '../index/literal.ts';
import type { Sql } from './sql.ts';

const BOUND = String(UNIT_BOUND);
const FACTOR = String(NUMBER_FACTOR).replace('+', '');
/** SQLite may read a long literal as a neighbour of the double: this is computed of what it reads exactly. */
const MOST = `(${Array.from({ length: NUMBER_FACTORS }, () => FACTOR).join(' * ')})`;
const LEAST = `(1.0 / ${Array.from({ length: NUMBER_FACTORS }, () => FACTOR).join(' / ')})`;
/** More than any value, and what no date begins with. */
const BEYOND = '1e300';
const LAST = "'~'";

const toPower = (digits: number): string => String(10n ** BigInt(digits));

/** The digit patterns of a date and of the time after it. */
const DAY = '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]';
const TIME = ' [0-2][0-9]:[0-5][0-9]:[0-5][0-9]';

/** A text that is a date, else null. `julianday` refuses a month of 13; the pattern alone would take it. */
function readTime(ref: string, isMoment: boolean): string {
  const hour = isMoment ? ` and substr(${ref}, 12, 2) < '24'` : '';
  const pattern = `'${DAY}${isMoment ? TIME : ''}'`;
  return `case when ${ref} glob ${pattern} and ${ref} >= '0001' and julianday(${ref}) is not null${hour} then ${ref} end`;
}

const sqliteExtreme: Sql['extreme'] = (op, values, type) => {
  const isLeast = op === 'least';
  const isNumber = isExact(type) || type.name === 'number';
  const end = isNumber ? (isLeast ? BEYOND : `-${BEYOND}`) : isLeast ? LAST : "''";
  return `nullif(${isLeast ? 'min' : 'max'}(${values.map((value) => `coalesce(${value}, ${end})`).join(', ')}), ${end})`;
};

const STARTS = { year: '1, 4', month: '6, 2', day: '9, 2' } as const;

export const sqliteSql: Sql = {
  literal(value, type) {
    if (value === null) return 'null';
    return isExact(type) || type.name === 'flag' ? String(value) : toLiteral(String(value));
  },
  column(ref, { name }) {
    if (name === 'flag') return `(${ref} <> 0)`;
    return name === 'date' || name === 'moment' ? readTime(ref, name === 'moment') : ref;
  },
  // The smaller and the larger of several values is null if one of them is.
  limit: (value) => `nullif(nullif(min(max(${value}, -${BOUND}), ${BOUND}), ${BOUND}), -${BOUND})`,
  limitNumber: (value) =>
    `case when abs(nullif(${value}, 0)) not between ${LEAST} and ${MOST} then null else ${value} end`,
  // Beyond 64 bits SQLite computes with a double, which has too many digits for every limit.
  scale: (value, digits) => `(${value} * ${toPower(digits)})`,
  number: (value, scale) => (scale === 0 ? `cast(${value} as real)` : `(cast(${value} as real) / ${toPower(scale)})`),
  units: (value) => value,
  fromTest: (test) => test,
  text: (value) => value,
  extreme: sqliteExtreme,
  part(value, { name, scale }) {
    if (name !== 'decimal') return `coalesce(cast(${value} as text), '')`;
    const digits = `printf('%.${scale + 1}d', ${value})`;
    return `case when ${value} is null then '' else substr(${digits}, 1, length(${digits}) - ${scale}) || '.' || substr(${digits}, -${scale}) end`;
  },
  // Up to 15 digits the quotient is never rounded to a half: `round` gives the whole number away from 0.
  round: (value, from, to) => `cast(round(cast(${value} as real) / ${toPower(from - to)}) as integer)`,
  roundNumber(value, scale) {
    const halves = `cast(min(max(2.0 * (${value} * ${toPower(scale)}), -2${BOUND.slice(1)}), 2${BOUND.slice(1)}) as integer)`;
    return `cast(round(cast(${halves} as real) / 2) as integer)`;
  },
  // A division of whole numbers drops the rest, so it is made of positive ones.
  cut(op, value, scale) {
    const [unit, shift] = [toPower(scale), toPower(MOST_DIGITS - scale)];
    return op === 'floor'
      ? `((${value} + ${BOUND}) / ${unit} - ${shift})`
      : `(${shift} - (${BOUND} - ${value}) / ${unit})`;
  },
  cutNumber(op, value) {
    const cut = `cast(${value} as integer)`;
    return op === 'floor' ? `(${cut} - (${value} < ${cut}))` : `(${cut} + (${value} > ${cut}))`;
  },
  length: (value) => `length(${value})`,
  datePart: (part, value) => `cast(substr(${value}, ${STARTS[part]}) as integer)`,
  days: (from, until) => `cast(julianday(substr(${until}, 1, 10)) - julianday(substr(${from}, 1, 10)) as integer)`,
  count: (query) => query,
  // A sum of 64 bits that overflows is an error, so millions are added by themselves.
  sum: (value) => `coalesce(sum(${value} / 1000000), 0) * 1000000 + coalesce(sum(${value} % 1000000), 0)`,
  result(value, { name }) {
    // Without a negative zero, which a row has not.
    if (name === 'number') return `cast(${value} + 0.0 as real)`;
    return `cast(${value} as ${name === 'text' || name === 'date' || name === 'moment' ? 'text' : 'integer'})`;
  },
};
