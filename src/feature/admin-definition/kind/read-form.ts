import { translate } from '../../../core/text/translate.ts';
import type { ControlSpec, Value } from './control.ts';
import { type MapRow, readMap } from './map-rows.ts';

/** A form as it was posted: texts, and nodes of names with brackets. */
export type FormValues = Readonly<Record<string, unknown>>;

export interface ReadForm {
  /** The definition: what it was, with the keys of the form changed. */
  readonly value: Value;
  /** Errors by key. */
  readonly faults: Readonly<Record<string, string>>;
}

export const toText = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll('\r\n', '\n') : Array.isArray(value) ? toText(value.at(-1)) : '';

/** Entries of a name with brackets, or that repeats. */
export const toEntries = (value: unknown): unknown[] =>
  value === undefined ? [] : typeof value === 'object' && value !== null ? Object.values(value) : [value];

/** The rows of a table in a form. */
export function readRows<K extends string>(value: unknown, names: readonly K[]): Record<K, string>[] {
  return toEntries(value).map((row) => {
    const cells = (typeof row === 'object' && row !== null ? row : {}) as FormValues;
    return Object.fromEntries(names.map((name) => [name, toText(cells[name])])) as Record<K, string>;
  });
}

/** A list in the order that it had; new entries follow. */
function sortAsBefore(wanted: readonly string[], before: unknown): string[] {
  const old = Array.isArray(before) ? before.map(String) : [];
  const kept = old.filter((entry) => wanted.includes(entry));
  return [...new Set([...kept, ...wanted])];
}

const toLines = (value: unknown): string[] =>
  toText(value)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function readPermissions(value: unknown): { method: string; path: string }[] {
  return readRows(value, ['method', 'path'] as const)
    .filter(({ path }) => path.trim() !== '')
    .map(({ method, path }) => ({ method: method === '' ? 'all' : method, path: path.trim() }));
}

const readNumber = (text: string): unknown => (/^\d{1,9}$/.test(text) ? Number(text) : text);

function readCheck({ initial = false }: ControlSpec, posted: unknown, before: unknown): unknown {
  const isTicked = toText(posted) !== '';
  if (before === isTicked) return before;
  return isTicked === initial ? undefined : isTicked;
}

/** Three answers: true, false, and nothing. */
const readTri = (text: string): unknown => (text === '' ? undefined : text === 'true');

const readOne = (spec: ControlSpec, text: string): unknown => (text === '' ? undefined : (spec.parse?.(text) ?? text));

/** What the posted value of a key means; undefined where the key is left out. */
function readKey(spec: ControlSpec, posted: unknown, before: unknown): { value: unknown; fault?: string } {
  const text = toText(posted);
  switch (spec.form) {
    case 'map': {
      const { map, fault } = readMap(readRows(posted, ['key', 'value'] as const) as MapRow[], before);
      return { value: map, ...(fault === undefined ? {} : { fault }) };
    }
    case 'permissions':
      return { value: readPermissions(posted) };
    case 'lines':
      return { value: toLines(posted) };
    case 'ticks':
      return { value: sortAsBefore(toEntries(posted).map(String).filter(Boolean), before) };
    case 'check':
      return { value: readCheck(spec, posted, before) };
    case 'number':
      return { value: text === '' ? undefined : readNumber(text.trim()) };
    default:
      return { value: spec.isTri === true ? readTri(text) : readOne(spec, text) };
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value)
    ? value.length === 0
    : typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/**
 * The definition that a form means. Keys that the form does not have stay.
 *
 * @param kept Keys that a definition must have, which are written even if they are empty.
 */
export function readForm(
  controls: readonly ControlSpec[],
  { posted, before, kept }: { readonly posted: FormValues; readonly before: Value; readonly kept: ReadonlySet<string> },
): ReadForm {
  const value: Record<string, unknown> = { ...before };
  const errors: Record<string, string> = {};
  for (const spec of controls) {
    const { key } = spec;
    const read = readKey(spec, posted[key] ?? posted[`${key}[]`], before[key]);
    if (read.fault !== undefined) errors[key] = read.fault;
    if (isEmpty(read.value) && !kept.has(key)) delete value[key];
    else if (read.value !== undefined) value[key] = read.value;
    else if (kept.has(key)) {
      delete value[key];
      errors[key] = translate('This must not be empty.');
    }
  }
  return { value, faults: errors };
}
