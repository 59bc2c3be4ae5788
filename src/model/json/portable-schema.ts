import { toList, toRecord } from './json-parts.ts';
import { isRecord } from './json-value.ts';

type Json = Readonly<Record<string, unknown>>;

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value;
};

/** The type of all values; undefined if they have several. */
function findType(values: readonly unknown[]): unknown {
  const types = [...new Set(values.map(typeOf))];
  const named = types.filter((type) => type !== 'null');
  if (named.length === 2 && named.every((type) => type === 'integer' || type === 'number')) return 'number';
  if (named.length > 1) return undefined;
  return types.length === 1 ? types[0] : [named[0], 'null'];
}

/** A list of places as a list of items: most tools know no `prefixItems`, and stop at `items: false`. */
function toItems({ prefixItems, items, ...schema }: Json): Json {
  const places = toList(prefixItems);
  const all = [...places, ...(isRecord(items) ? [items] : [])].map((item) => toPortable(toRecord(item)));
  const unlike = [...new Map(all.map((item) => [JSON.stringify(item), item])).values()];
  const isFixed = places.length > 0 && !isRecord(items);
  return {
    ...schema,
    items: unlike.length > 1 ? { anyOf: unlike } : (unlike[0] ?? {}),
    ...(isFixed ? { maxItems: schema.maxItems ?? places.length } : {}),
  };
}

/** `type` with several names, without null, as choices. */
function toChoices(schema: Json): Json {
  const { type, ...rest } = schema;
  const { description, title, ...rules } = rest;
  const named = toList(type).filter((name) => name !== 'null');
  const isNullable = toList(type).includes('null');
  const choices = named.map((name) => toPortable({ ...rules, type: isNullable ? [name, 'null'] : name }));
  return {
    ...(title === undefined ? {} : { title }),
    anyOf: choices,
    ...(description === undefined ? {} : { description }),
  };
}

const MAPS: ReadonlySet<string> = new Set(['properties', '$defs', 'patternProperties']);
const PARTS: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not', 'propertyNames', 'contains']);
const LISTS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf']);

function visit(word: string, value: unknown): unknown {
  if (LISTS.has(word)) return toList(value).map((part) => toPortable(toRecord(part)));
  if (PARTS.has(word)) return isRecord(value) ? toPortable(value) : value;
  if (!MAPS.has(word)) return value;
  return Object.fromEntries(Object.entries(toRecord(value)).map(([name, part]) => [name, toPortable(toRecord(part))]));
}

/**
 * A JSON Schema in the words that generators of other languages know: `type` beside `const` and `enum` and with one name
 * besides null, `items` on every list, and `format` on numbers, which are 32 bits wide in some languages without it. It takes
 * the same values, but for the order of a list of places.
 */
export function toPortable(schema: Json): Json {
  const known = Object.fromEntries(Object.entries(schema).map(([word, value]) => [word, visit(word, value)]));
  const values = 'const' in known ? [known.const] : Array.isArray(known.enum) ? known.enum : undefined;
  const type = known.type ?? (values && findType(values));
  const typed: Json = type === undefined ? known : { type, ...known };
  const names = [type].flat().filter((name) => name !== 'null');
  if (names.length > 1) return toChoices(typed);
  if (names[0] === 'array') return toItems(typed);
  return names[0] === 'number' && values === undefined && typed.format === undefined
    ? { ...typed, format: 'double' }
    : typed;
}
