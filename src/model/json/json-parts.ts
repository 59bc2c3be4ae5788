import { isRecord } from './json-value.ts';
import type { Json } from './value-schema.ts';

/** A part of a JSON document as an object; an empty one if it has another type. */
export const toRecord = (value: unknown): Json => (isRecord(value) ? value : {});
/** A part of a JSON document as a list; an empty one if it has another type. */
export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
