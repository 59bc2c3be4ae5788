import * as z from 'zod';

type Shape = z.core.$ZodType;

/** The shape inside `.optional()`, `.default()`, `.nullable()` and `.prefault()`. */
export function unwrapShape(shape: Shape): Shape {
  let inner = shape;
  while (
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodPrefault ||
    inner instanceof z.ZodNullable
  ) {
    inner = inner.unwrap();
  }
  return inner;
}

export const isObjectShape = (shape: unknown): shape is z.ZodObject => shape instanceof z.ZodObject;
export const isArrayShape = (shape: unknown): shape is z.ZodArray => shape instanceof z.ZodArray;

/** The description of a shape, also of one inside its wrappers. */
export function readDescription(shape: Shape): string | undefined {
  const own = shape instanceof z.ZodType ? shape.description : undefined;
  if (own !== undefined) return own;
  const inner = unwrapShape(shape);
  return inner instanceof z.ZodType ? inner.description : undefined;
}

/** A shape without its wrappers; of a union, its object. */
export function toObjectOr(outer: Shape): Shape {
  const shape = unwrapShape(outer);
  return shape instanceof z.ZodUnion ? (shape.options.find(isObjectShape) ?? shape) : shape;
}

/** The shape at a path, with its wrappers; undefined if it does not exist. */
export function findShape(root: Shape, path: readonly PropertyKey[]): Shape | undefined {
  let outer: Shape | undefined = root;
  for (const key of path) {
    const shape: Shape = toObjectOr(outer);
    if (shape instanceof z.ZodRecord) outer = shape.valueType;
    else if (isObjectShape(shape)) outer = Object.hasOwn(shape.shape, key) ? shape.shape[String(key)] : undefined;
    else outer = isArrayShape(shape) ? shape.element : undefined;
    if (outer === undefined) return undefined;
  }
  return outer;
}
