import { CHANGED, ORIGINAL, UPDATE } from '../../model/hook-event.ts';
import { isRecord } from '../../model/json/json-value.ts';
import type { IsSecret } from './receiver/secret-name.ts';

type Data = Readonly<Record<string, unknown>>;

/** Limit in bytes for an event's data. Above it the largest values are dropped and listed in `omitted`. */
const MAX_DATA_BYTES = 262_144;

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/**
 * Turns an event's results into a hook's data. For an update it adds the names of changed columns, except
 * the `updated` time.
 */
export function toData(event: string, results: unknown, updated: string | undefined): unknown {
  if (event !== UPDATE || !isRecord(results) || !isRecord(results[ORIGINAL])) return results;
  const original = results[ORIGINAL];
  const changed = Object.keys(original).filter(
    (name) => name !== updated && Object.hasOwn(results, name) && !isSame(results[name], original[name]),
  );
  return { ...results, [CHANGED]: changed };
}

const pick = (data: Data, fields: readonly string[]): Data =>
  Object.fromEntries(fields.filter((name) => Object.hasOwn(data, name)).map((name) => [name, data[name]]));

/** Selects the columns that a hook sends, in its order; also inside `original` and `changed`. */
function select(data: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(data)) return data.map((item) => select(item, fields));
  if (!isRecord(data)) return data;
  const { [ORIGINAL]: original, [CHANGED]: changed } = data;
  return {
    ...pick(data, fields),
    ...(isRecord(original) ? { [ORIGINAL]: pick(original, fields) } : {}),
    ...(Array.isArray(changed) ? { [CHANGED]: changed.filter((name) => fields.includes(name)) } : {}),
  };
}

const byteLength = (text: string): number => Buffer.byteLength(text, 'utf8');

/** Drops the largest values until the rest fits. */
function shorten(data: unknown, print: (value: unknown) => string | undefined): string {
  if (!isRecord(data)) return '{"omitted":["*"]}';
  const parts = Object.entries(data).flatMap(([name, value]) => {
    const text = print({ [name]: value })?.slice(1, -1) ?? '';
    return text === '' ? [] : [{ name, text, bytes: byteLength(text) + 1 }];
  });
  const bySize = [...parts].sort((a, b) => b.bytes - a.bytes);
  const omitted = new Set<string>();
  let bytes = parts.reduce((sum, part) => sum + part.bytes, 32);
  for (const { name, bytes: own } of bySize) {
    if (bytes <= MAX_DATA_BYTES) break;
    omitted.add(name);
    bytes += byteLength(JSON.stringify(name)) + 1 - own;
  }
  const included = parts.filter(({ name }) => !omitted.has(name)).map(({ text }) => text);
  return `{${[...included, `"omitted":${JSON.stringify([...omitted])}`].join(',')}}`;
}

/**
 * Minified JSON of a hook's data: only the columns that it sends, no passwords or tokens, limited in size.
 */
export function printData(
  data: unknown,
  options: { readonly fields: readonly string[] | undefined; readonly isSecret: IsSecret },
): string {
  const { fields, isSecret } = options;
  const print = (value: unknown): string | undefined =>
    JSON.stringify(value, (key, inner: unknown) => {
      if (isSecret(key, inner)) return undefined;
      // That a hidden column has changed is hidden as well.
      if (key === CHANGED && Array.isArray(inner)) return inner.filter((name) => !isSecret(String(name), undefined));
      return typeof inner === 'bigint' ? String(inner) : inner;
    });
  const chosen = fields === undefined ? data : select(data, fields);
  const text = print(chosen ?? null) ?? 'null';
  return text.length * 3 <= MAX_DATA_BYTES || byteLength(text) <= MAX_DATA_BYTES ? text : shorten(chosen, print);
}
