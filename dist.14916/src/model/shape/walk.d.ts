import * as z from 'zod';
type Shape = z.core.$ZodType;
/** The shape inside `.optional()`, `.default()`, `.nullable()` and `.prefault()`. */
export declare function unwrapShape(shape: Shape): Shape;
export declare const isObjectShape: (shape: unknown) => shape is z.ZodObject;
export declare const isArrayShape: (shape: unknown) => shape is z.ZodArray;
/** The description of a shape, also of one inside its wrappers. */
export declare function readDescription(shape: Shape): string | undefined;
/** A shape without its wrappers; of a union, its object. */
export declare function toObjectOr(outer: Shape): Shape;
/** The shape at a path, with its wrappers; undefined if it does not exist. */
export declare function findShape(root: Shape, path: readonly PropertyKey[]): Shape | undefined;
export {};
