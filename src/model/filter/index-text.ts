import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../json/json-value.ts';
import type { Index } from '../shape.ts';

type Where = NonNullable<Index['where']>;

/** The example that messages and forms show. */
export const INDEX_SAMPLE = 'published,-views where published=true';

function toValue(text: string): unknown {
  if (text === 'true') return true;
  if (text === 'false') return false;
  return /^-?(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}

/** Adds `published=true` or `views.gte=100`; undefined if the text is neither. */
function addPart(where: Where, text: string): Where | undefined {
  const [, name, operator = 'eq', value] = /^\s*([\w-]+)(?:\.(\w+))?\s*=\s*(.*?)\s*$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) return undefined;
  const known = Object.hasOwn(where, name) ? where[name] : undefined;
  if (known === undefined && operator === 'eq') return { ...where, [name]: toValue(value) };
  const before = known === undefined ? {} : isRecord(known) ? known : { eq: known };
  return { ...where, [name]: { ...before, [operator]: toValue(value) } };
}

/** Parses a text such as `published,-views where published=true and views.gte=100`. Undefined if it does not have this form. */
export function parseIndexText(text: string): Index | undefined {
  const [, listed = '', tested] = /^(.*?)(?:\s+where\s+(.*))?$/is.exec(text.trim()) ?? [];
  const columns = listed.split(',').map((name) => name.trim());
  if (!columns.every((name) => /^-?[a-z][\w-]*$/.test(name))) return undefined;
  if (tested === undefined) return { columns };
  const where = tested
    .split(/\s+and\s+/i)
    .reduce<Where | undefined>((found, part) => found && addPart(found, part), {});
  return where && { columns, where };
}

const printValue = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

function printPart([name, wanted]: readonly [string, unknown]): string[] {
  if (!isRecord(wanted)) return [`${name}=${printValue(wanted)}`];
  return Object.entries(wanted).map(([operator, value]) =>
    operator === 'eq' ? `${name}=${printValue(value)}` : `${name}.${operator}=${printValue(value)}`,
  );
}

/** The text of an index that {@link parseIndexText} reads, or its JSON if no text says the same. */
export function printIndex(index: Index): string {
  const where = Object.entries(index.where ?? {}).flatMap(printPart);
  const text = `${index.columns.join(',')}${where.length === 0 ? '' : ` where ${where.join(' and ')}`}`;
  return isDeepStrictEqual(parseIndexText(text), index) ? text : JSON.stringify(index);
}
