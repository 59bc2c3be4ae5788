import { findShapeError } from '../../model/parse.ts';
import { findShape } from '../../model/shape/walk.ts';
import { type FileKind, SHAPES } from '../../model/shape.ts';

/** A number whose text is the only one that it has, so that nothing is lost on the way. */
const isPlainNumber = (text: string): boolean => text.trim() === text && text !== '' && String(Number(text)) === text;

/** The same value in other types, without loss: `"10"` is 10, `"true"` is true, 7 is `"7"`, and one text is a list of it. */
export function convert(value: unknown): readonly unknown[] {
  if (typeof value === 'string') {
    const plain = isPlainNumber(value) ? [Number(value)] : [];
    const flag = value === 'true' || value === 'false' ? [value === 'true'] : [];
    return [...plain, ...flag, [value]];
  }
  if (typeof value === 'number') return [String(value), [value]];
  if (Array.isArray(value)) return value.length === 1 ? [value[0]] : [];
  if (value === null || typeof value !== 'object') return [];
  return [[value]];
}

/** Whether a definition may have the value at the path. */
export function isValid(kind: FileKind, path: readonly PropertyKey[], value: unknown): boolean {
  const shape = findShape(SHAPES[kind], path);
  return shape !== undefined && findShapeError(shape, value) === undefined;
}
