import * as z from 'zod';
import { type FieldKind } from './field-kind-row.ts';
import type { Field } from './shape.ts';
/** Converts a text to UTC, as `YYYY-MM-DD HH:MM:SS`, respecting its time zone. Undefined if it is no date. */
export declare function toMoment(text: string): string | undefined;
/** True if a text is a stored day, `YYYY-MM-DD`. */
export declare const isDay: (text: string) => boolean;
/** True if a text is a stored time of day, `HH:MM:SS`. */
export declare const isTime: (text: string) => boolean;
/** True if a text is a stored date and time, `YYYY-MM-DD HH:MM:SS`. */
export declare const isMoment: (text: string) => boolean;
export declare const moment: {
    readonly group: 'date';
    readonly sql: {
        readonly sqlite: 'text';
        readonly postgres: 'text collate "C"';
    };
    readonly flags: {
        readonly filterable: true;
        readonly sortable: true;
        readonly searchable: false;
    };
    readonly coerce: (value: unknown, now: number) => unknown;
    readonly shape: (field: Field) => z.ZodType;
    readonly expects: (field: Field) => string;
    readonly jsonSchema: () => {
        type: string;
        pattern: string;
        examples: string[];
    };
    readonly defaultFormat: 'relative';
};
export declare const dateKinds: Readonly<Record<'date' | 'time' | 'datetime' | 'week' | 'month', FieldKind>>;
