/** Expressions drawn by chance, of every type, over the columns of {@link FIELDS}. */

/** A generator of numbers under 2^32. */
export type Random = () => number;

/** Fields by the type of their values. */
export const FIELDS = {
  whole: ['stock', 'views'],
  decimal: ['cost', 'rate'],
  number: ['weight', 'level'],
  text: ['title', 'code'],
  flag: ['open'],
  date: ['day'],
  moment: ['made'],
} as const;

export type FieldType = keyof typeof FIELDS;

const pick = <T>(random: Random, list: readonly T[]): T => list[random() % list.length] as T;

const TEXTS = [
  "'a'",
  "''''",
  "'ü'",
  "'; drop table thing; --'",
  "'${1+1}'",
  "'\\'",
  "'%'",
  "'zz'",
  "'😀'",
  "'constructor'",
];

function drawNumber(random: Random): string {
  const digits = pick(random, [1, 1, 2, 3, 8, 14]);
  let text = '';
  for (let at = 0; at < digits; at += 1) text += String(random() % 10);
  return random() % 3 === 0 ? `${text}.${random() % 100}` : text;
}

const drawDate = (random: Random): string =>
  `'${String(1900 + (random() % 200))}-${String(1 + (random() % 12)).padStart(2, '0')}-${String(1 + (random() % 31)).padStart(2, '0')}'`;

const NUMBERS: readonly FieldType[] = ['whole', 'decimal', 'number'];

type Draw = (random: Random, depth: number) => string;

const many = (random: Random, draw: () => string): string =>
  Array.from({ length: 2 + (random() % 2) }, draw).join(', ');

const drawExact: Draw = (random, depth) => {
  const one = (): string => drawOf(random, pick(random, ['whole', 'decimal']), depth);
  const any = (): string => drawOf(random, pick(random, NUMBERS), depth);
  switch (random() % 12) {
    case 0:
    case 1:
    case 2:
      return `(${one()} ${pick(random, ['+', '-', '*'])} ${one()})`;
    case 3:
      return `(${one()} % ${one()})`;
    case 4:
      return `round(${any()}, ${random() % 5})`;
    case 5:
      return `${pick(random, ['floor', 'ceil'])}(${any()})`;
    case 6:
      return `${pick(random, ['min', 'max'])}(${many(random, one)})`;
    case 7:
      return `length(${drawOf(random, 'text', depth)})`;
    case 8:
      return `${pick(random, ['year', 'month', 'day'])}(${drawOf(random, pick(random, ['date', 'moment']), depth)})`;
    case 9:
      return `days(${drawOf(random, 'date', depth)}, ${drawOf(random, pick(random, ['date', 'moment']), depth)})`;
    case 10:
      return pick(random, ['line.count', 'line.sum(amount)', 'line.sum(size)', 'tag.count', 'tag.sum(points)']);
    default:
      return `${pick(random, ['-', 'abs'])}(${one()})`;
  }
};

const DRAWS: Readonly<Record<FieldType, Draw>> = {
  whole: drawExact,
  decimal: drawExact,
  number(random, depth) {
    const any = (): string => drawOf(random, pick(random, NUMBERS), depth);
    const sign = pick(random, ['/', '/', '*', '+', '-']);
    const left = sign === '/' ? any() : drawOf(random, 'number', depth);
    if (random() % 8 === 0) return `${pick(random, ['min', 'max'])}(${any()}, ${any()})`;
    return random() % 12 === 0 ? `abs(-${left})` : `(${left} ${sign} ${any()})`;
  },
  text: (random, depth) =>
    `concat(${many(random, () => drawOf(random, pick(random, ['text', 'whole', 'decimal', 'date', 'text']), depth))})`,
  flag(random, depth) {
    const sign = pick(random, ['=', '!=', '<', '<=', '>', '>=']);
    const type = pick(random, ['text', 'whole', 'decimal', 'number', 'date', 'moment', 'flag'] as const);
    const other = NUMBERS.includes(type) ? pick(random, NUMBERS) : type;
    if (random() % 4 === 0)
      return `(${drawOf(random, 'flag', depth)} ${pick(random, ['and', 'or'])} ${drawOf(random, 'flag', depth)})`;
    if (random() % 6 === 0) return `(not ${drawOf(random, 'flag', depth)})`;
    return `(${drawOf(random, type, depth)} ${sign} ${drawOf(random, other, depth)})`;
  },
  date: (random, depth) => `${pick(random, ['min', 'max'])}(${many(random, () => drawOf(random, 'date', depth))})`,
  moment: (random, depth) => `coalesce(${drawOf(random, 'moment', depth)}, made)`,
};

function drawLeaf(random: Random, type: FieldType): string {
  if (random() % 3 > 0) return pick(random, FIELDS[type]);
  if (type === 'text') return pick(random, TEXTS);
  if (type === 'flag') return pick(random, ['true', 'false']);
  if (type === 'date') return `coalesce(day, ${drawDate(random)})`;
  return type === 'moment' ? 'made' : drawNumber(random);
}

function drawOf(random: Random, type: FieldType, depth: number): string {
  if (depth <= 0 || random() % 5 === 0) return drawLeaf(random, type);
  const chance = random() % 8;
  if (chance === 0) {
    return `if(${drawOf(random, 'flag', depth - 1)}, ${drawOf(random, type, depth - 1)}, ${random() % 5 === 0 ? 'null' : drawOf(random, type, depth - 1)})`;
  }
  if (chance === 1) return `coalesce(${drawOf(random, type, depth - 1)}, ${drawOf(random, type, depth - 1)})`;
  return DRAWS[type](random, depth - 1);
}

/** An expression; it may be refused for its size or its digits. */
export const drawExpression = (random: Random): string =>
  drawOf(random, pick(random, Object.keys(FIELDS) as FieldType[]), 1 + (random() % 4));

const ODD = [
  ...[
    'process.exit(1)',
    'this',
    'globalThis',
    '__proto__',
    'constructor',
    'eval',
    'require',
    'import',
    '=>',
    '${',
    '`',
    '\\u0061',
  ],
  ...[
    "'",
    '"',
    ';',
    '--',
    '/*',
    '*/',
    '\0',
    'select',
    'now()',
    'random()',
    '(',
    ')',
    ',',
    '.',
    '1e9',
    '||',
    '::text',
    '#',
    '😀',
  ],
];

/** The text of an expression with something in it that may be no part of one. */
export function spoil(text: string, random: Random): string {
  const at = random() % (text.length + 1);
  const cut = random() % 3 === 0 ? random() % 6 : 0;
  return `${text.slice(0, at)}${pick(random, ODD)}${text.slice(at + cut)}`;
}
