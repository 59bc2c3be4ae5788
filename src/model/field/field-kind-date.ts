import * as z from 'zod';
import { fromStamp, toStamp } from '../../core/clock.ts';
import type { Field } from '../shape.ts';
import { ALL_FLAGS, coerceText, createKind, type FieldKind, TEXT } from './field-kind-row.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{1,2}:\d{2}(:\d{2})?$/;
const MOMENT =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:\.\d{1,9})?\s?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/i;
const WEEK = /^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$/;
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** True if a stamp is a real date; 30 February is not. */
function isReal(stamp: string): boolean {
  const time = fromStamp(stamp);
  return !Number.isNaN(time) && toStamp(time) === stamp;
}

/** Converts a text to UTC, as `YYYY-MM-DD HH:MM:SS`, respecting its time zone. Undefined if it is no date. */
export function toMoment(text: string): string | undefined {
  const [, day, time, seconds, zone] = MOMENT.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  const stamp = `${day} ${time ?? '00:00'}${seconds ?? ':00'}`;
  if (!isReal(stamp)) return undefined;
  if (zone === undefined || zone.toUpperCase() === 'Z') return stamp;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return toStamp(fromStamp(stamp) - (zone.startsWith('-') ? -1 : 1) * minutes * 60_000);
}

/** True if a text is a stored day, `YYYY-MM-DD`. */
export const isDay = (text: string): boolean => DAY.test(text) && isReal(`${text} 00:00:00`);
/** True if a text is a stored time of day, `HH:MM:SS`. */
export const isTime = (text: string): boolean => TIME.test(text) && text.length === 8 && isReal(`2000-01-01 ${text}`);
/** True if a text is a stored date and time, `YYYY-MM-DD HH:MM:SS`. */
export const isMoment = (text: string): boolean => text.length === 19 && text[10] === ' ' && isReal(text);

/** Parses a date, and `NOW()` as now. Any other text is returned for the shape to reject. */
const reading =
  (read: (text: string) => string | undefined, cut: (stamp: string) => string) =>
  (value: unknown, now: number): unknown => {
    const text = value instanceof Date && !Number.isNaN(value.getTime()) ? toStamp(value.getTime()) : coerceText(value);
    if (typeof text !== 'string') return text;
    if (text.trim().toUpperCase() === 'NOW()') return cut(toStamp(now));
    return read(text) ?? text;
  };

/** The day as it is written: a day has no time zone, so an offset moves nothing. */
const readDay = (text: string): string | undefined =>
  toMoment(text) === undefined ? undefined : text.trim().slice(0, 10);

/** The time as it is written, as {@link readDay}. */
function readTime(text: string): string | undefined {
  const trimmed = text.trim();
  if (!TIME.test(trimmed))
    return toMoment(trimmed) === undefined ? undefined : readTime(trimmed.slice(11).replace(/[^\d:].*$/, ''));
  const [hours = '', ...rest] = trimmed.split(':');
  return [hours.padStart(2, '0'), ...rest, ...(rest.length === 1 ? ['00'] : [])].join(':');
}

/**
 * True if a text is a real ISO week. Week 53 exists only in years that start on a Thursday or, in leap years,
 * end on one.
 */
function isWeek(text: string): boolean {
  if (!WEEK.test(text)) return false;
  if (!text.endsWith('53')) return true;
  const year = Number(text.slice(0, 4));
  const [first, last] = [new Date(0), new Date(0)];
  first.setUTCFullYear(year, 0, 1);
  last.setUTCFullYear(year, 11, 31);
  return first.getUTCDay() === 4 || last.getUTCDay() === 4;
}

const base = { group: 'date', sql: TEXT, flags: { ...ALL_FLAGS, searchable: false } } as const;

/** Number and unit of the steps of a kind, as HTML counts them (HTML, "input type states"). */
interface Steps {
  /** Units since the start of the steps: 1970, the week 1970-W01, or midnight. */
  readonly count: (text: string) => number;
  readonly unit: string;
}

interface DateRow {
  readonly coerce: (value: unknown, now: number) => unknown;
  readonly isRight: (text: string) => boolean;
  readonly words: string;
  readonly steps: Steps;
}

const SECONDS: Steps = { count: (text) => fromStamp(text) / 1000, unit: 'seconds' };
const SECONDS_OF_DAY: Steps = { count: (text) => fromStamp(`1970-01-01 ${text}`) / 1000, unit: 'seconds' };
const DAYS: Steps = { count: (text) => fromStamp(`${text} 00:00:00`) / 86_400_000, unit: 'days' };
const MONTHS: Steps = {
  count: (text) => (Number(text.slice(0, 4)) - 1970) * 12 + Number(text.slice(5)) - 1,
  unit: 'months',
};
const WEEKS: Steps = {
  count: (text) => {
    // The week with 4 January is the first of its year (ISO 8601). 1970-01-01 was a Thursday.
    const fourth = fromStamp(`${text.slice(0, 4)}-01-04 00:00:00`) / 86_400_000;
    return Math.floor((fourth + 3) / 7) + Number(text.slice(6)) - 1;
  },
  unit: 'weeks',
};

/** The attribute `step` as a whole number of units; undefined if every value is allowed. */
function readStep(field: Field): number | undefined {
  const step = Number(field.attributes?.step ?? 1);
  return Number.isInteger(step) && step > 1 ? step : undefined;
}

/**
 * Shape and rule text of a kind of time. `min` and `max` compare as text, which is chronological for stored
 * times.
 */
function dateRow({ coerce, isRight, words, steps }: DateRow) {
  const readEnd = (field: Field, name: 'min' | 'max'): string | undefined => {
    const value = field.attributes?.[name];
    const read = value === undefined || /^\s*now\(\)\s*$/i.test(String(value)) ? undefined : coerce(value, 0);
    return typeof read === 'string' && isRight(read) ? read : undefined;
  };
  return {
    coerce,
    shape: (field: Field): z.ZodType => {
      const [min = '', max = '~'] = [readEnd(field, 'min'), readEnd(field, 'max')];
      const inRange = z.string().refine((text) => isRight(text) && text >= min && text <= max);
      const step = readStep(field);
      if (step === undefined) return inRange;
      const base = min === '' ? 0 : steps.count(min);
      // Only a right text can be counted.
      return inRange.refine((text) => !isRight(text) || (steps.count(text) - base) % step === 0);
    },
    expects: (field: Field): string => {
      const [min, max] = [readEnd(field, 'min'), readEnd(field, 'max')];
      const from = min === undefined ? '' : `, ${min} at the earliest`;
      const step = readStep(field);
      const inSteps = step === undefined ? '' : `, in steps of ${step} ${steps.unit}`;
      return `must be ${words}${from}${max === undefined ? '' : `, ${max} at the latest`}${inSteps}`;
    },
  };
}

export const moment = {
  ...base,
  ...dateRow({
    coerce: reading(toMoment, (stamp) => stamp),
    isRight: isMoment,
    words: 'a date and time such as 2026-01-31 09:30:00',
    steps: SECONDS,
  }),
  jsonSchema: () => ({
    type: 'string',
    pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
    examples: ['2026-01-31 09:30:00'],
  }),
  defaultFormat: 'relative',
} as const;

export const dateKinds: Readonly<Record<'date' | 'time' | 'datetime' | 'week' | 'month', FieldKind>> = {
  date: createKind({
    ...base,
    ...dateRow({
      coerce: reading(readDay, (stamp) => stamp.slice(0, 10)),
      isRight: isDay,
      words: 'a date such as 2026-01-31',
      steps: DAYS,
    }),
    type: 'date',
    description: 'A day, YYYY-MM-DD.',
    jsonSchema: () => ({ type: 'string', format: 'date' }),
    control: { element: 'input', inputType: 'date' },
    defaultFormat: 'date',
  }),
  time: createKind({
    ...base,
    ...dateRow({
      coerce: reading(readTime, (stamp) => stamp.slice(11)),
      isRight: isTime,
      words: 'a time such as 09:30:00',
      steps: SECONDS_OF_DAY,
    }),
    type: 'time',
    description: 'A time of day, HH:MM:SS.',
    jsonSchema: () => ({ type: 'string', pattern: '^\\d{2}:\\d{2}:\\d{2}$', examples: ['09:30:00'] }),
    control: { element: 'input', inputType: 'time', attributes: { step: 1 } },
  }),
  datetime: createKind({
    ...moment,
    type: 'datetime',
    description: 'A date and time in UTC, YYYY-MM-DD HH:MM:SS.',
    control: { element: 'input', inputType: 'datetime-local', attributes: { step: 1 } },
  }),
  week: createKind({
    ...base,
    ...dateRow({
      coerce: reading((text) => (isWeek(text) ? text : undefined), toWeek),
      isRight: isWeek,
      words: 'a week such as 2026-W05',
      steps: WEEKS,
    }),
    type: 'week',
    description: 'A week such as 2026-W05 (ISO 8601).',
    jsonSchema: () => ({ type: 'string', pattern: WEEK.source }),
    control: { element: 'input', inputType: 'week' },
  }),
  month: createKind({
    ...base,
    ...dateRow({
      coerce: reading(
        (text) => (MONTH.test(text) ? text : undefined),
        (stamp) => stamp.slice(0, 7),
      ),
      isRight: (text) => MONTH.test(text),
      words: 'a month such as 2026-01',
      steps: MONTHS,
    }),
    type: 'month',
    description: 'A month such as 2026-01.',
    jsonSchema: () => ({ type: 'string', pattern: MONTH.source }),
    control: { element: 'input', inputType: 'month' },
  }),
};

/** The ISO 8601 week of a stamp: the week that contains its Thursday. */
function toWeek(stamp: string): string {
  const day = new Date(fromStamp(stamp));
  day.setUTCDate(day.getUTCDate() + 4 - (day.getUTCDay() || 7));
  const year = day.getUTCFullYear();
  const week = Math.floor((day.getTime() - Date.UTC(year, 0, 1)) / (7 * 86_400_000)) + 1;
  return `${String(year).padStart(4, '0')}-W${String(week).padStart(2, '0')}`;
}
