import type { Json } from '../model/value-schema.ts';
/** A part of a JSON document as an object; an empty one if it has another type. */
export declare const toRecord: (value: unknown) => Json;
/** A part of a JSON document as a list; an empty one if it has another type. */
export declare const toList: (value: unknown) => readonly unknown[];
