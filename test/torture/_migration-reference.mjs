// The expected result for each value, written independently of the code under test.
import { isDeepStrictEqual } from 'node:util';
import { OPTIONS } from './_migration-world.mjs';

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
const _DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const REFUSED = Symbol('does not fit');

export { REFUSED };

function readMoment(text) {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?)?$/.exec(text.trim());
  if (!match) return undefined;
  const stamp = `${match[1]} ${match[2] ?? '00:00'}${match[3] ?? ':00'}`;
  const time = Date.parse(`${stamp.replace(' ', 'T')}Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 19).replace('T', ' ') !== stamp
    ? undefined
    : stamp;
}

const isText = (type) => type === 'text' || type === 'textarea' || type === 'select';

function toNumber(from, value) {
  if (['number', 'float', 'switch'].includes(from)) return value;
  if (from === 'decimal') return value / 100;
  if (!isText(from)) return REFUSED;
  const text = value.trim();
  if (text === '') return null;
  return NUMBER.test(text) && Number.isFinite(Number(text)) ? Number(text) : REFUSED;
}

/** A decimal of two digits after the point, here as SQLite has it: in hundredths. */
const printUnits = (units) =>
  `${units < 0 ? '-' : ''}${Math.floor(Math.abs(units) / 100)}.${String(Math.abs(units) % 100).padStart(2, '0')}`;

/** Hundredths of a number without an exponent, or with a small one. */
function toUnits(from, value) {
  const read = toNumber(from, value);
  if (read === null || read === REFUSED) return read;
  const [plain, exponent = '0'] = String(value).trim().toLowerCase().split('e');
  const [whole, part = ''] = plain.replace(/^[+-]/, '').split('.');
  const shift = Number(exponent) + 2;
  const digits = `${whole}${part}`;
  const end = whole.length + shift;
  const units = digits.slice(0, Math.max(0, end)).padEnd(Math.max(0, end), '0');
  if (end > 40 || /[1-9]/.test(digits.slice(Math.max(0, end))) || Number(units) >= 1e15) return REFUSED;
  return (plain.startsWith('-') ? -1 : 1) * Number(units) + 0;
}

/** PostgreSQL prints a list with blanks; as a text it is the same on both databases. */
const toText = (from, value) =>
  from === 'tag' ? JSON.stringify(JSON.parse(value)) : from === 'decimal' ? printUnits(value) : String(value);

const RULES = {
  text: (from, value) => {
    const text = toText(from, value);
    return value === '' ? null : text.length > 255 ? REFUSED : text;
  },
  textarea: (from, value) => (value === '' ? null : toText(from, value)),
  select: (from, value) => (value === '' ? null : OPTIONS.includes(toText(from, value)) ? String(value) : REFUSED),
  number: (from, value) => {
    const read = toNumber(from, value);
    return read === null || read === REFUSED || Number.isSafeInteger(read) ? read : REFUSED;
  },
  float: toNumber,
  decimal: toUnits,
  date: (from, value) => {
    if (typeof value !== 'string' || from === 'tag') return REFUSED;
    if (value.trim() === '') return null;
    const stamp = readMoment(value);
    return stamp?.endsWith(' 00:00:00') ? stamp.slice(0, 10) : REFUSED;
  },
  datetime: (from, value) => {
    if (typeof value !== 'string' || from === 'tag') return REFUSED;
    if (value.trim() === '') return null;
    return readMoment(value) ?? REFUSED;
  },
  switch: (from, value) => {
    if (from === 'tag' || from === 'decimal') return REFUSED;
    const plain = typeof value === 'string' ? value.trim().toLowerCase() : value;
    if ([1, '1', 'on', 'true', 'yes'].includes(plain)) return 1;
    return [0, '0', 'off', 'false', 'no', ''].includes(plain) ? 0 : REFUSED;
  },
  tag: (from, value) => {
    if (from === 'switch') return JSON.stringify([String(value)]);
    if (from === 'decimal') return JSON.stringify([printUnits(value)]);
    if (!isText(from)) return REFUSED;
    if (value.trim() === '') return null;
    if (/^\s*\[/.test(value)) {
      try {
        const list = JSON.parse(value);
        return Array.isArray(list) && list.every((item) => typeof item === 'string') ? JSON.stringify(list) : REFUSED;
      } catch {}
    }
    if (value.length > 255) return REFUSED;
    return JSON.stringify(
      value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    );
  },
};

/** A value of one type as another: the stored value, or REFUSED. */
export function convert(from, to, value) {
  if (value === null || from === to) return value;
  return RULES[to](from, value);
}

export const isSame = (type, a, b) => {
  if (a === b) return true;
  if (type !== 'tag' || typeof a !== 'string' || typeof b !== 'string') return false;
  try {
    return isDeepStrictEqual(JSON.parse(a), JSON.parse(b));
  } catch {
    return false;
  }
};

const TEXTS = [
  '5',
  '05',
  ' 7 ',
  '-3',
  '0.1',
  '1e3',
  'abc',
  '2026-01-31',
  '2026-01-31 00:00',
  '2026-02-30',
  '2026-01-31 09:30:00',
  'yes',
  'no',
  '',
  'a',
  'b',
  '1',
  'a,b',
  '["x","y"]',
  '[broken',
  'it\'s "so"',
  '日本 ünïcode',
  'Δ'.repeat(300),
  '9007199254740993',
  'null',
  '\n',
  '%_\\',
];
/** Values that rows may have. */
export function makeValue(type, dice) {
  switch (type) {
    case 'text':
      return dice.pick(TEXTS).slice(0, 255);
    case 'textarea':
      return dice.pick(TEXTS);
    case 'select':
      return dice.pick(OPTIONS);
    case 'number':
      return dice.pick([0, 1, 5, -3, 255, 9007199254740991, dice.below(1000)]);
    case 'float':
      return dice.pick([0.5, 1.5, 0.1, -2.25, 1e21, 1 / 3, 2 ** -30, dice.next()]);
    case 'decimal':
      return { units: dice.pick([0, 5, -5, 1250, 700, -300, 999999999999999, dice.below(100_000)]) };
    case 'date':
      return dice.pick(['2026-01-31', '1999-12-31', '2024-02-29']);
    case 'datetime':
      return dice.pick(['2026-01-31 00:00:00', '2026-01-31 09:30:00', '1999-12-31 23:59:59']);
    case 'switch':
      return dice.pick([0, 1]);
    default:
      return dice.pick(['["a","b"]', '["x"]', '[]', '["it\'s"]']);
  }
}
