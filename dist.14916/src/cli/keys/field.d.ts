import { Field, type FieldType } from '../../model/shape.ts';
import type { Values } from '../spec.ts';
import { type KeySpec } from './key.ts';
/** Fields that every schema made by a command gets: soft removal, and when it was made and changed. */
export declare const STAMPS: readonly Field[];
export declare const STAMP_TYPES: ReadonlySet<string>;
/** Fields in full: those given, and the stamps that they lack. */
export declare const addStamps: (fields: readonly Field[]) => Field[];
export declare function parseFieldType(type: string): FieldType;
/** `name:type[:flag,flag]` as a field, or JSON for all that a field may carry; its label is made from the name. */
export declare function parseField(text: string, presetType?: string): Field;
/** A field as a flag's value says it: in short where that says all. */
export declare function toFieldText(field: Field): string;
/** A default as the type stores it; text where it is none of its. */
export declare function parseDefault(type: FieldType, text: string): unknown;
/** The keys of a field that flags set: all but its name. */
export declare const FIELD_KEYS: readonly KeySpec[];
/** A field as the flags change it. */
export declare function changeField(field: Field, values: Values): Field;
