import { toStamp } from '../../core/clock.ts';
import { fromUnits, toUnits } from '../../model/decimal/decimal.ts';
import { COUNTRIES } from '../../model/field/countries.ts';
import { readDecimalShape } from '../../model/field/field-kind-decimal.ts';
import { listKeys } from '../../model/field/field-kind-option.ts';
import type { Field, Fieldset } from '../../model/shape.ts';
import type { Limits } from './limits.ts';
import { compileMaker } from './pattern.ts';
import type { Chance } from './random.ts';

const split = (text: string): readonly string[] => text.split(' ');

const ADJECTIVES = split(
  'amber brave calm clear crisp dusty early faint gentle hollow idle keen late mellow narrow open pale quiet round silver tall upper vivid warm young',
);
const NOUNS = split(
  'anchor basket bridge candle cedar copper door ember field garden harbour island kettle ladder lantern loom meadow mirror needle orchard paper quarry river shuttle stone table thread valley wagon window',
);
const VERBS = split(
  'binds carries crosses finds folds follows gathers holds keeps leaves marks meets mends moves opens reaches shapes turns weighs',
);
const FIRST = split(
  'Ada Amir Bela Chen Dara Eli Fatou Goran Hana Ines Jonas Kofi Lena Mateo Nadia Omar Petra Quinn Rosa Sami Tara Uma Viktor Wen Yara Zoe',
);
const LAST = split(
  'Abara Berg Costa Duval Ekström Farouk Grant Haas Ito Jansen Kaya Lindo Moreau Novak Okoro Petrov Quist Rossi Silva Tanaka Ursu Varga Weaver Xu Yilmaz Zeman',
);
const PLACES = split(
  'Northmere Oldbridge Westhaven Stonefield Eastwick Millbrook Redharbour Whitford Greenvale Highmoor',
);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Two words for a thing. */
const toThing = (chance: Chance): string => `${chance.pick(ADJECTIVES)} ${chance.pick(NOUNS)}`;
const toWord = (chance: Chance): string => chance.pick(chance.happens(0.5) ? NOUNS : ADJECTIVES);
const toFirstName = (chance: Chance): string => chance.pick(FIRST);
const toLastName = (chance: Chance): string => chance.pick(LAST);
const toPlace = (chance: Chance): string => chance.pick(PLACES);

function toSentence(chance: Chance): string {
  const tail = chance.happens(0.5) ? ` by the ${toThing(chance)}` : '';
  return `${capital(`the ${toThing(chance)}`)} ${chance.pick(VERBS)} the ${toThing(chance)}${tail}.`;
}

const toParagraph = (chance: Chance): string =>
  Array.from({ length: chance.whole(2, 5) }, () => toSentence(chance)).join(' ');

const toTitle = (chance: Chance): string => capital(`${toThing(chance)} and ${toThing(chance)}`);

/** This number of words, with a capital letter first. */
const makeWords = (chance: Chance, count: number): string =>
  capital(Array.from({ length: count }, () => toWord(chance)).join(' '));

/** ASCII letters of a name, for e-mail addresses. */
const toAscii = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '')
    .toLowerCase();

export const DAY = 86_400_000;

export interface ValueInput {
  readonly field: Field;
  readonly limits: Limits;
  readonly chance: Chance;
  /** Number of the row in the table, used to make unique values. */
  readonly ordinal: number;
  readonly isUnique: boolean;
  /** Midnight of the day that times are near, in milliseconds since 1970. */
  readonly base: number;
  /** Midnight of the current day, for rules such as `futuredate`. */
  readonly today: number;
  readonly fieldsets: ReadonlyMap<string, Fieldset>;
  /** Generates a value of another field, for a fieldset. */
  readonly make: (field: Field) => unknown;
}

type Maker = (input: ValueInput) => unknown;

const cut = (text: string, most: number): string => [...text].slice(0, most).join('').trimEnd();

/** Fits a text into the limits, with the row's number if it must be unique. */
function fit(text: string, { limits, chance, ordinal, isUnique }: ValueInput): string {
  const { characters, words } = limits;
  let made = text;
  const count = made.split(/\s+/).length;
  if (count < words.least || count > words.most) {
    made = makeWords(chance, chance.whole(Math.max(1, words.least), Math.min(words.most, Math.max(words.least, 12))));
  }
  const tail = isUnique ? ` ${ordinal}` : '';
  if (isUnique && words.most < Infinity && made.split(/\s+/).length + 1 > words.most) made = toWord(chance);
  while ([...made].length + tail.length < characters.least) made += ` ${toWord(chance)}`;
  if ([...made].length + tail.length <= characters.most) return made + tail;
  const room = characters.most - tail.length;
  return room > 0 ? cut(made, room) + tail : cut(String(ordinal), characters.most);
}

/** A text that fits the field's name; it assumes only the language of the definitions. */
function toNamed({ field, chance }: ValueInput): string | undefined {
  const { name } = field;
  if (/(^|_)(first|given)_?name$/.test(name)) return toFirstName(chance);
  if (/(^|_)(last|family|sur)_?name$/.test(name)) return toLastName(chance);
  if (/(^|_)(name|author|contact)$/.test(name)) return `${toFirstName(chance)} ${toLastName(chance)}`;
  if (/(city|town|place|location)$/.test(name)) return toPlace(chance);
  if (/(phone|mobile|fax)$/.test(name)) return `+00 ${chance.whole(100, 999)} ${chance.whole(100_000, 999_999)}`;
  return undefined;
}

const line: Maker = (input) => fit(toNamed(input) ?? toTitle(input.chance), input);
const text: Maker = (input) => fit(toParagraph(input.chance), { ...input, limits: toLong(input.limits) });
const toLong = (limits: Limits): Limits => ({
  ...limits,
  characters: { ...limits.characters, most: limits.characters.most === 255 ? 5000 : limits.characters.most },
});

const email: Maker = ({ chance, ordinal }) =>
  `${toAscii(toFirstName(chance))}.${toAscii(toLastName(chance))}.${ordinal}@example.org`;
const slug: Maker = ({ chance, ordinal, isUnique }) =>
  `${toThing(chance)} ${toWord(chance)}${isUnique ? ` ${ordinal}` : ''}`.replaceAll(' ', '-');

function number({ limits, chance, ordinal, isUnique }: ValueInput): number {
  const { min = 0, max = 1000, step } = limits.range;
  const size = step === 'any' ? 0.01 : step;
  const steps = Math.max(0, Math.floor((max - min) / size + 1e-9));
  const at = isUnique ? (ordinal - 1) % (steps + 1) : chance.whole(0, steps);
  return Number((min + at * size).toFixed(10));
}

/** A decimal, counted in its smallest unit so that all of its digits are exact. */
function decimal({ field, limits, chance, ordinal, isUnique }: ValueInput): string {
  const { scale } = readDecimalShape(field);
  const { min = 0, max = 1000, step } = limits.range;
  const toCount = (number: number): number => toUnits(number.toFixed(scale), scale) ?? 0;
  const size = step === 'any' ? 1 : Math.max(1, toCount(step));
  const steps = Math.max(0, Math.floor((toCount(max) - toCount(min)) / size));
  const at = isUnique ? (ordinal - 1) % (steps + 1) : chance.whole(0, steps);
  return fromUnits(toCount(min) + at * size, scale);
}

/** A day near the base date, on the side that the rules require. */
function toDay({ limits, chance, ordinal, isUnique, base, today }: ValueInput): number {
  if (limits.has('presentdate')) return today;
  const days = isUnique ? ordinal : chance.whole(1, 700);
  if (limits.has('futuredate')) return Math.max(base, today) + days * DAY;
  return (limits.has('pastdate') ? Math.min(base, today) : base) - days * DAY;
}
const toTime = (input: ValueInput): number => {
  const { chance, ordinal, isUnique } = input;
  const second = isUnique ? ordinal % 86_400 : chance.whole(0, 1439) * 60;
  return toDay(input) + second * 1000;
};

function toWeek(day: number): string {
  // A week belongs to the year of its Thursday (ISO 8601).
  const thursday = new Date(day + (3 - ((new Date(day).getUTCDay() + 6) % 7)) * DAY);
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = 1 + Math.floor((thursday.getTime() - first) / (7 * DAY));
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}

const option: Maker = (input) => {
  const keys = listKeys(input.field);
  if (keys.length === 0) return fit(toWord(input.chance), input);
  return input.isUnique ? keys[(input.ordinal - 1) % keys.length] : input.chance.pick(keys);
};
const several: Maker = ({ field, chance }) => {
  const keys = listKeys(field);
  return chance.some(keys.length === 0 ? ['red', 'green', 'blue', 'grey'] : keys, 1, 3);
};

const COLOURS = 0x1000000;
/** The factor and the number of colours have no common divisor, so that no two rows have the same colour. */
const color: Maker = ({ chance, ordinal, isUnique }) =>
  `#${(isUnique ? (ordinal * 7_654_321) % COLOURS : chance.whole(0, COLOURS - 1)).toString(16).padStart(6, '0')}`;

function card({ chance, ordinal, isUnique }: ValueInput): string {
  const body = `4${isUnique ? String(ordinal).padStart(14, '0') : Array.from({ length: 14 }, () => chance.whole(0, 9)).join('')}`;
  let sum = 0;
  for (const [index, digit] of [...body].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return `${body}${(10 - (sum % 10)) % 10}`;
}

/** A text that matches a mask such as `(999) 999`. */
const mask: Maker = (input) => {
  const { field, chance } = input;
  const form = field.attributes?.['data-mask'];
  if (typeof form !== 'string' || form === '') return line(input);
  const marks: Readonly<Record<string, () => string>> = {
    '9': () => String(chance.whole(0, 9)),
    a: () => chance.pick([...'abcdefghijkmnpqrstuvwxyz']),
    '*': () => chance.pick([...'abcdefghijkmnpqrstuvwxyz23456789']),
  };
  return form.replace(/\\?[\s\S]/gu, (part) => (part.length > 1 ? part.slice(1) : (marks[part]?.() ?? part)));
};

const uuid: Maker = ({ chance }) => {
  const digits = Array.from({ length: 32 }, () => chance.whole(0, 15).toString(16));
  digits[12] = '4';
  digits[16] = chance.pick(['8', '9', 'a', 'b']);
  return digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

const file =
  (ending: string): Maker =>
  ({ field, ordinal }) =>
    `https://example.org/${field.name}-${ordinal}.${ending}`;
const html = (chance: Chance): string => `<p>${toSentence(chance)} <strong>${toSentence(chance)}</strong></p>`;
const times = <T>(chance: Chance, least: number, most: number, make: () => T): T[] =>
  Array.from({ length: chance.whole(least, most) }, make);

function fieldset({ field, fieldsets, chance, make }: ValueInput): unknown {
  const fields = fieldsets.get(field.fieldset ?? '')?.fields ?? [];
  const group = () =>
    Object.fromEntries(fields.filter(({ type }) => type !== 'none').map((each) => [each.name, make(each)]));
  return field.multiple ? times(chance, 1, 3, group) : group();
}

/** Generators for field types; types that Treadle sets, or without values, have none. */
const MAKERS: Readonly<Partial<Record<Field['type'], Maker>>> = {
  text: line,
  search: line,
  mask,
  email,
  url: ({ chance, ordinal }) => `https://example.org/${toThing(chance).replace(' ', '-')}/${ordinal}`,
  slug,
  color,
  textarea: text,
  wysiwyg: ({ chance }) => times(chance, 1, 3, () => html(chance)).join('\n'),
  markdown: (input) => `## ${toTitle(input.chance)}\n\n${String(text(input))}`,
  code: ({ chance }) => `const ${toWord(chance)} = ${chance.whole(1, 99)};\n`,
  number,
  range: number,
  small: number,
  float: number,
  price: number,
  decimal,
  stars: number,
  date: (input) => toStamp(toDay(input)).slice(0, 10),
  time: (input) => toStamp(toTime(input)).slice(11),
  datetime: (input) => toStamp(toTime(input)),
  week: (input) => toWeek(toDay(input)),
  month: (input) => toStamp(toDay(input)).slice(0, 7),
  checkbox: ({ chance }) => chance.whole(0, 1),
  switch: ({ chance }) => chance.whole(0, 1),
  select: option,
  radios: option,
  countrylist: (input) => (listKeys(input.field).length > 0 ? option(input) : input.chance.pick(COUNTRIES)),
  multiselect: several,
  checkboxes: several,
  file: file('pdf'),
  image: file('png'),
  filelist: (input) => [file('pdf')(input)],
  imagelist: (input) => [file('png')(input)],
  tag: ({ chance }) => [...new Set(times(chance, 1, 4, () => toWord(chance)))],
  textlist: ({ chance }) => times(chance, 1, 3, () => toThing(chance)),
  textarealist: ({ chance }) => times(chance, 1, 3, () => toSentence(chance)),
  wysiwyglist: ({ chance }) => times(chance, 1, 3, () => html(chance)),
  meta: ({ chance }) => Object.fromEntries(times(chance, 1, 3, () => [toWord(chance), toThing(chance)])),
  latlng: ({ chance }) => [chance.whole(-8000, 8000) / 100, chance.whole(-17_900, 17_900) / 100],
  rawjson: ({ chance, ordinal }) => ({ [toWord(chance)]: ordinal, list: [1, 2, 3] }),
  table: ({ field, chance }) =>
    times(chance, 1, 3, () =>
      Object.fromEntries((field.columns ?? ['first', 'second']).map((column) => [column, toWord(chance)])),
    ),
  fieldset,
  multirange: (input) => {
    const [a, b] = [number({ ...input, isUnique: false }), number({ ...input, isUnique: false })];
    return `${Math.min(a, b)};${Math.max(a, b)}`;
  },
  uuid,
  ipaddress: ({ chance }) => `192.0.2.${chance.whole(1, 254)}`,
};

/** A value within the rules of a field; undefined for a type without a generator. */
export function makeValue(input: ValueInput): unknown {
  const { limits, field, chance, ordinal, isUnique } = input;
  if (limits.choices !== undefined && limits.choices.length > 0) {
    const chosen = isUnique ? limits.choices[(ordinal - 1) % limits.choices.length] : chance.pick(limits.choices);
    return field.type === 'multiselect' || field.type === 'checkboxes' || field.type === 'tag' ? [chosen] : chosen;
  }
  if (limits.pattern !== undefined) {
    const made = compileMaker(limits.pattern)?.(chance);
    if (made !== undefined) return made;
  }
  if (limits.has('cc')) return card(input);
  if (limits.has('hex')) return color(input);
  if (limits.has('email')) return email(input);
  if (limits.has('url')) return MAKERS.url?.(input);
  const isText = field.type === 'text' || field.type === 'search';
  if (isText && (limits.has('number') || limits.has('float') || limits.has('price'))) return String(number(input));
  for (const type of ['date', 'time', 'datetime'] as const)
    if (isText && limits.has(type)) return MAKERS[type]?.(input);
  return MAKERS[field.type]?.(input);
}
