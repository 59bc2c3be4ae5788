import { isSafeKey } from '../../../core/request/registry.ts';
import { isRecord } from '../../../model/json/json-value.ts';

/** `{ "$ref": "a.order_id" }`: a column of the results of an earlier item. */
interface Reference {
  /** Of the item. */
  readonly id: string;
  readonly column: string;
}

const REFERENCE = /^([A-Za-z0-9_-]{1,64})\.([A-Za-z_][A-Za-z0-9_]{0,127})$/;

/** True for an object that only has the key `$ref`, with a text. Any other object is data, such as a JSON Schema in a column. */
export const isReference = (value: unknown): value is { readonly $ref: string } =>
  isRecord(value) && typeof value.$ref === 'string' && Object.keys(value).length === 1;

/** Reads a reference; undefined if its text is none. */
export function readReference({ $ref }: { readonly $ref: string }): Reference | undefined {
  const [, id = '', column = ''] = REFERENCE.exec($ref) ?? [];
  return id === '' || !isSafeKey(column) ? undefined : { id, column };
}

type Path = readonly string[];

/** A copy of a value with every reference in it replaced, at any depth. */
export function replaceReferences(
  value: unknown,
  replace: (reference: { readonly $ref: string }, path: Path) => unknown,
  path: Path = [],
): unknown {
  if (isReference(value)) return replace(value, path);
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => replaceReferences(item, replace, [...path, String(index)]));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaceReferences(item, replace, [...path, key])]),
  );
}
