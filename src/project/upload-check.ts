import { coerceNumber } from '../model/field/field-kind-row.ts';
import { isImageField } from '../model/field/file-type.ts';
import type { Field } from '../model/shape.ts';
import type { FileContent, ImageSize } from './file-content.ts';

/** Maximum pixels of an image: a file of a few kilobytes can decode to gigabytes in the program that shows it. */
const MAX_PIXELS = 50_000_000;
const MAX_SIDE = 30_000;

/** Maximum bytes of a field's file: `data-max-bytes`, or what holds for all. */
export function findFieldLimit(field: Field, usual: number): number {
  const own = coerceNumber(field.attributes?.['data-max-bytes']);
  return typeof own === 'number' && own > 0 ? own : usual;
}

/** A detected type in words. */
export function describeContent({ extension, form, isOtherText }: FileContent): string {
  if (isOtherText) return 'a text that is not in UTF-8, so save it in UTF-8';
  return form === 'unknown' ? 'a file of a type that is not known' : `a file of type ${extension}`;
}

/** Whether a type has pixels that a browser decodes. */
export const hasPixels = ({ mime }: FileContent): boolean => mime.startsWith('image/') && mime !== 'image/svg+xml';

/** Why a picture is refused, in words that follow its name; undefined if it is not. */
export function findPixelError(size: ImageSize | undefined, field: Field): string | undefined {
  if (!size) return isImageField(field) ? 'is an image, but its size cannot be read' : undefined;
  const { width, height } = size;
  if (width * height <= MAX_PIXELS && Math.max(width, height) <= MAX_SIDE) return undefined;
  return `is a picture of ${width} × ${height} pixels; at most ${MAX_PIXELS} are taken`;
}
