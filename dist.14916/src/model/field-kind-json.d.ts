import { type FieldKind, type PrepareTools } from './field-kind-row.ts';
import type { Field } from './shape.ts';
/** Maximum items of a list, rows of a table, names of a `meta`. */
export declare const MAX_ITEMS = 1000;
/** Parses a list: JSON, text split by the separator, or the values of an object made by a form's indexes. */
export declare const toList: (separator: RegExp) => (value: unknown) => unknown;
type Row = Pick<FieldKind, 'type' | 'description' | 'expects' | 'shape' | 'control' | 'defaultFormat'> & Partial<Pick<FieldKind, 'group' | 'jsonSchema'>> & {
    readonly coerce: (value: unknown) => unknown;
    /** Changes the coerced value before it is encoded. */
    readonly finish?: (value: unknown, field: Field | undefined, tools: PrepareTools) => unknown;
};
export declare function toJsonKind({ coerce, finish, ...row }: Row): FieldKind;
type JsonType = 'multiselect' | 'checkboxes' | 'tag' | 'textlist' | 'textarealist' | 'wysiwyglist' | 'meta' | 'latlng' | 'rawjson' | 'fieldset' | 'table' | 'multirange';
export declare const jsonKinds: Readonly<Record<JsonType, FieldKind>>;
export {};
