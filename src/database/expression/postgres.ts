import { TIME_PATTERNS } from '../../model/expression/date-text.ts';
import { isExact } from '../../model/expression/make.ts';
import { MOST_DIGITS, NUMBER_FACTOR, NUMBER_FACTORS, type ValueType } from '../../model/expression/tree.ts';
import { toLiteral } from '../index/literal.ts';
import type { Sql } from './sql.ts';

const factors = Array.from({ length: NUMBER_FACTORS }, () => NUMBER_FACTOR);
/** JavaScript computes the bounds as SQLite does, and prints a text that reads back as the same double. */
const toDouble = (value: number): string => `cast(${value} as double precision)`;
const MOST = toDouble(factors.reduce((product, factor) => product * factor, 1));
const LEAST = toDouble(factors.reduce((product, factor) => product / factor, 1));

const toPower = (digits: number): string => String(10n ** BigInt(digits));

/** The smaller and the larger of several values leave nulls out, so a null becomes a bound, and a bound null. */
const clamp = (value: string, bound: string): string => `least(greatest(${value}, -${bound}), ${bound})`;

const isText = ({ name }: ValueType): boolean => name === 'text' || name === 'date' || name === 'moment';

/** A backslash is an escape in a plain text if the server says so. */
function printText(text: string): string {
  const literal = toLiteral(text);
  return `cast(${text.includes('\\') ? `E${literal.replaceAll('\\', '\\\\')}` : literal} as text)`;
}

const byBytes = (value: string): string => `(${value}) collate "C"`;

const STARTS = { year: '1, 4', month: '6, 2', day: '9, 2' } as const;
const readNumber = (value: string, start: string): string => `cast(substr(${value}, ${start}) as integer)`;
/** The 31st of a month with 30 days is the 1st of the next. */
const toDate = (value: string): string =>
  `(make_date(${readNumber(value, STARTS.year)}, ${readNumber(value, STARTS.month)}, 1) + ${readNumber(value, STARTS.day)})`;

const TYPES = {
  whole: 'bigint',
  flag: 'bigint',
  text: 'text',
  date: 'text',
  moment: 'text',
  null: 'text',
  number: 'double precision',
} as const;

const toType = ({ name, scale }: ValueType): string =>
  name === 'decimal' ? `numeric(${MOST_DIGITS},${scale})` : TYPES[name];

export const postgresSql: Sql = {
  literal(value, type) {
    if (value === null)
      return `cast(null as ${isExact(type) ? 'numeric' : type.name === 'flag' ? 'integer' : toType(type)})`;
    if (type.name === 'flag') return String(value);
    if (!isExact(type)) return printText(String(value));
    const digits = String(value).padStart(type.scale + 1, '0');
    const point = digits.length - type.scale;
    return `cast(${digits.slice(0, point)}${type.scale === 0 ? '' : `.${digits.slice(point)}`} as numeric)`;
  },
  column(ref, { name }) {
    if (name === 'whole') return `cast(${ref} as numeric)`;
    if (name === 'flag') return `cast(${ref} <> 0 as integer)`;
    const text = byBytes(ref);
    if (name === 'date' || name === 'moment') return `case when ${text} ~ '${TIME_PATTERNS[name]}' then ${text} end`;
    return name === 'text' ? `(${text})` : ref;
  },
  limit(value, scale) {
    const bound = toPower(MOST_DIGITS - scale);
    return `nullif(nullif(${clamp(value, bound)}, ${bound}), -${bound})`;
  },
  limitNumber: (value) =>
    `case when abs(nullif(${value}, 0)) not between ${LEAST} and ${MOST} then null else ${value} end`,
  scale: (value) => value,
  number: (value) => `cast(${value} as double precision)`,
  units: (value) => `cast(${value} as numeric)`,
  fromTest: (test) => `cast(${test} as integer)`,
  text: byBytes,
  extreme: (op, values, type) => `${op}(${values.map((value) => (isText(type) ? byBytes(value) : value)).join(', ')})`,
  part(value, type) {
    if (isText(type)) return `coalesce(${value}, '')`;
    return `coalesce(cast(cast(${value} as ${toType(type)}) as text), '')`;
  },
  round: (value, _from, to) => `round(${value}, ${to})`,
  roundNumber(value, scale) {
    const bound = toDouble(2e15);
    const halves = `cast(trunc(${clamp(`2 * (${value} * ${toDouble(10 ** scale)})`, bound)}) as bigint)`;
    const units = `round(cast(${halves} as numeric) / 2)`;
    return scale === 0 ? units : `(${units} * ${`0.${'1'.padStart(scale, '0')}`})`;
  },
  cut: (op, value) => `${op}(${value})`,
  cutNumber: (op, value) => `cast(cast(${op}(${clamp(value, toDouble(1e15))}) as bigint) as numeric)`,
  length: (value) => `cast(char_length(${value}) as numeric)`,
  datePart: (part, value) => `cast(substr(${value}, ${STARTS[part]}) as numeric)`,
  days: (from, until) => `cast(${toDate(until)} - ${toDate(from)} as numeric)`,
  count: (query) => `cast(${query} as numeric)`,
  sum: (value) => `coalesce(sum(${value}), 0)`,
  result(value, type) {
    if (type.name === 'number') return `(${value} + ${toDouble(0)})`;
    const typed = `cast(${value} as ${toType(type)})`;
    return isText(type) ? `(${typed} collate "C")` : typed;
  },
};
