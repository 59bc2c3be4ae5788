import { isDeepStrictEqual } from 'node:util';
import type { PatchOperation } from '../../core/errors.ts';
import { isSafeKey } from '../../core/request/registry.ts';

/** A JSON pointer of a path: `["fields", 0, "a/b"]` is `/fields/0/a~1b`. */
export const toPointer = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

type Container = Record<string, unknown> | unknown[];

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

function readPointer(pointer: string): string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw new RangeError(`"${pointer}" is not a JSON pointer: it must begin with "/"`);
  const keys = pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const unsafe = keys.find((key) => !isSafeKey(key));
  if (unsafe !== undefined) throw new RangeError(`the key "${unsafe}" is refused`);
  return keys;
}

/** The index that a key names in a list; with `isNew`, `-` and the length name the place after the last item. */
function toIndex(list: readonly unknown[], key: string, isNew: boolean): number {
  const index = isNew && key === '-' ? list.length : /^(?:0|[1-9]\d*)$/.test(key) ? Number(key) : Number.NaN;
  if (index < list.length || (isNew && index === list.length)) return index;
  throw new RangeError(`"${key}" is no place in a list of ${list.length}`);
}

function readKey(node: Container, key: string): unknown {
  if (Array.isArray(node)) return node[toIndex(node, key, false)];
  if (Object.hasOwn(node, key)) return node[key];
  throw new RangeError(`there is no "${key}"`);
}

function readAt(root: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((node, key) => {
    if (!isContainer(node)) throw new RangeError(`there is no "${key}"`);
    return readKey(node, key);
  }, root);
}

/** A copy of the document in which the place of the keys was changed. */
function change(root: unknown, keys: readonly string[], edit: (node: Container, key: string) => Container): unknown {
  const [key, ...rest] = keys;
  if (key === undefined || !isContainer(root)) throw new RangeError(`there is no "${keys.join('/')}"`);
  if (rest.length === 0) return edit(Array.isArray(root) ? [...root] : { ...root }, key);
  const inner = change(readKey(root, key), rest, edit);
  if (!Array.isArray(root)) return { ...root, [key]: inner };
  return root.with(toIndex(root, key, false), inner);
}

function put(root: unknown, keys: readonly string[], value: unknown): unknown {
  if (keys.length === 0) return value;
  return change(root, keys, (node, key) => {
    if (Array.isArray(node)) node.splice(toIndex(node, key, true), 0, value);
    else node[key] = value;
    return node;
  });
}

const replace = (root: unknown, keys: readonly string[], value: unknown): unknown =>
  keys.length === 0
    ? value
    : change(root, keys, (node, key) => {
        readKey(node, key);
        if (Array.isArray(node)) node[toIndex(node, key, false)] = value;
        else node[key] = value;
        return node;
      });

const remove = (root: unknown, keys: readonly string[]): unknown =>
  change(root, keys, (node, key) => {
    readKey(node, key);
    if (Array.isArray(node)) node.splice(toIndex(node, key, false), 1);
    else delete node[key];
    return node;
  });

/** A key of an object gets another name and keeps its place among the others. */
function renameKey(root: unknown, keys: readonly string[], name: string): unknown {
  return change(root, keys, (node, key) =>
    Object.fromEntries(Object.entries(node).map(([each, value]) => [each === key ? name : each, value])),
  );
}

function move(root: unknown, from: readonly string[], to: readonly string[]): unknown {
  const value = readAt(root, from);
  const isBelow = to.length > from.length && from.every((key, index) => to[index] === key);
  if (isBelow) throw new RangeError('a value cannot move into itself');
  const parent = readAt(root, from.slice(0, -1));
  const isSibling = from.length === to.length && isDeepStrictEqual(from.slice(0, -1), to.slice(0, -1));
  const name = to.at(-1);
  if (isSibling && name !== undefined && !Array.isArray(parent) && isContainer(parent) && !Object.hasOwn(parent, name))
    return renameKey(root, from, name);
  return put(remove(root, from), to, value);
}

function applyOne(root: unknown, operation: PatchOperation): unknown {
  const keys = readPointer(operation.path);
  switch (operation.op) {
    case 'add':
      return put(root, keys, operation.value);
    case 'replace':
      return replace(root, keys, operation.value);
    case 'remove':
      return remove(root, keys);
    case 'move':
      return move(root, readPointer(operation.from), keys);
    case 'copy':
      return put(root, keys, readAt(root, readPointer(operation.from)));
    case 'test':
      if (isDeepStrictEqual(readAt(root, keys), operation.value)) return root;
      throw new RangeError(`${operation.path} has another value`);
    default:
      throw new RangeError('an operation is add, replace, remove, move, copy or test');
  }
}

/**
 * Applies operations one after the other to a JSON document, and gives the new one; the old one stays as it is. A key
 * that moves to another name in its own object keeps its place there.
 *
 * @throws RangeError if an operation cannot be applied; then none was.
 * @see RFC 6902
 */
export const applyPatch = (root: unknown, operations: readonly PatchOperation[]): unknown =>
  operations.reduce(applyOne, root);
