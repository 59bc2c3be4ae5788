import { isObject, toObject } from '../core/record.ts';
import { isRecord } from '../model/json/json-value.ts';

/** A posted form: texts, lists and maps by the parts of their names. */
export type FormValues = Record<string, unknown>;

/** The keys of a name with brackets: `lines[0][price]` gives `lines`, `0`, `price`. */
const toPath = (name: string): string[] => name.replaceAll(']', '').split('[');

function readAt(node: unknown, path: readonly string[]): unknown {
  let at = node;
  for (const key of path) {
    if (!isObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** A copy of a form with another value at a path; undefined takes the key out. */
function writeAt(node: unknown, [key = '', ...rest]: readonly string[], value: unknown): FormValues {
  const copy: FormValues = { ...toObject(node) };
  const inner = rest.length === 0 ? value : writeAt(copy[key], rest, value);
  if (inner === undefined) delete copy[key];
  else copy[key] = inner;
  return copy;
}

const listKeys = (node: unknown): string[] =>
  typeof node === 'object' && node !== null ? Object.keys(node).sort((a, b) => Number(a) - Number(b)) : [];

/** The key after the last one of a list. */
const toNextKey = (node: unknown): string => String(Math.max(-1, ...listKeys(node).map(Number)) + 1);

function moveUp(posted: FormValues, path: readonly string[]): FormValues {
  const [list, key = ''] = [path.slice(0, -1), path.at(-1)];
  const keys = listKeys(readAt(posted, list));
  const other = keys[keys.indexOf(key) - 1];
  if (other === undefined) return posted;
  const [mine, above] = [readAt(posted, path), readAt(posted, [...list, other])];
  return writeAt(writeAt(posted, path, above), [...list, other], mine);
}

/** Removes what is at a path: an item of a list disappears, an address becomes empty. */
function removeAt(posted: FormValues, name: string): FormValues {
  const path = toPath(name);
  return writeAt(posted, path, /^\d+$/.test(path.at(-1) ?? '') ? undefined : '');
}

/**
 * What a form's button asked for besides saving: `add lines`, `remove lines[2]`, `up lines[2]`. Gives the form as it
 * looks afterwards, or undefined if the button edits no list.
 */
export function editList(posted: FormValues, button: string, added: unknown = ''): FormValues | undefined {
  const [, verb, name] = /^(add|remove|up) (.{1,400})$/.exec(button) ?? [];
  if (verb === undefined || name === undefined) return undefined;
  if (verb === 'remove') return removeAt(posted, name);
  const path = toPath(name);
  if (verb === 'up') return moveUp(posted, path);
  return writeAt(posted, [...path, toNextKey(readAt(posted, path))], added);
}

/** A form without the files that were marked for removal, by the names in `_drop`. */
export function dropMarked(posted: FormValues): FormValues {
  const marked = isRecord(posted._drop) ? Object.values(posted._drop) : posted._drop;
  const names = (Array.isArray(marked) ? marked : [marked]).filter((name): name is string => typeof name === 'string');
  return names.reduce(removeAt, posted);
}
