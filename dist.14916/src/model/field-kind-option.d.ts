import * as z from 'zod';
import { type FieldKind } from './field-kind-row.ts';
import type { Field } from './shape.ts';
/**
 * Converts what forms and programs send for yes and no to 1 or 0; other values are returned for the shape to
 * reject. In a list the last value counts: a form sends `0` from a hidden input and then `1` if the checkbox
 * is ticked.
 */
export declare function toFlag(value: unknown): unknown;
export declare const flag: {
    readonly group: 'option';
    readonly sql: {
        readonly sqlite: 'integer';
        readonly postgres: 'bigint';
    };
    readonly coerce: typeof toFlag;
    readonly shape: () => z.ZodUnion<readonly [z.ZodLiteral<0>, z.ZodLiteral<1>]>;
    readonly expects: () => string;
    readonly jsonSchema: () => {
        enum: number[];
    };
    readonly control: {
        readonly element: 'input';
        readonly inputType: 'checkbox';
        readonly attributes: {
            readonly value: '1';
        };
    };
    readonly flags: {
        readonly searchable: true;
        readonly filterable: true;
        readonly sortable: true;
    };
    readonly defaultFormat: 'yes';
};
/** One of the field's options, by key; any short text if it lists none. */
export declare function toOption(field: Field): z.ZodType;
export declare function toOptionWords(field: Field): string;
export declare function toOptionSchema(field: Field): Record<string, unknown>;
type OptionType = 'checkbox' | 'switch' | 'select' | 'countrylist' | 'radios';
export declare const optionKinds: Readonly<Record<OptionType, FieldKind>>;
export {};
