import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { isObject } from '../../core/record.ts';
import { KIND_WORDS } from '../kind-words.ts';
import { isArrayShape, isObjectShape, unwrapShape } from '../shape/walk.ts';
import { type FileKind, SHAPES } from '../shape.ts';
import { parseJsonText } from './json-text.ts';

/** The JSON Schema (draft 2020-12) of a kind of definition, for editors, generated from its shape. */
export function toJsonSchema(kind: FileKind): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(SHAPES[kind], { target: 'draft-2020-12', io: 'input' });
  return { $schema, title: `Treadle ${KIND_WORDS[kind].one}`, ...schema };
}

type Shape = z.core.$ZodType;

function order(outer: Shape, value: unknown): unknown {
  const shape = unwrapShape(outer);
  if (Array.isArray(value)) return isArrayShape(shape) ? value.map((item) => order(shape.element, item)) : value;
  if (!isObject(value) || !isObjectShape(shape)) return value;
  const known = Object.entries(shape.shape).filter(([key]) => Object.hasOwn(value, key));
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(shape.shape, key));
  return Object.fromEntries([
    ...known.map(([key, part]) => [key, order(part, value[key])] as const),
    ...unknown.map((key) => [key, value[key]] as const),
  ]);
}

/** The text of a definition: two-space indent, keys in the shape's order, a final newline. */
export function printDefinition(kind: FileKind, value: unknown): string {
  return `${JSON.stringify(order(SHAPES[kind], value), null, 2)}\n`;
}

/** The text of a definition; the old text, byte for byte, if its content is equal. */
export function printChanged(kind: FileKind, value: unknown, oldText: string | undefined): string {
  const text = printDefinition(kind, value);
  if (oldText === undefined) return text;
  const old = parseJsonText(oldText);
  return old.error === undefined && isDeepStrictEqual(old.value, JSON.parse(text)) ? oldText : text;
}
