import { isRecord } from './json-value.ts';

/** A part of a JSON document as an object; an empty one if it has another type. */
export const toRecord = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
/** A part of a JSON document as a list; an empty one if it has another type. */
export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
