import type { FieldType, Format, Validation } from './shape.ts';
export declare const FLAGS: readonly ['required', 'unique', 'searchable', 'filterable', 'sortable'];
export type Flag = (typeof FLAGS)[number];
/** The flags, rules and formats that fields may have, for the linker. */
export interface FieldRules {
    readonly methods: ReadonlySet<string>;
    readonly formats: ReadonlySet<string>;
    /** Flags allowed for a type. */
    flags(type: FieldType): ReadonlySet<Flag>;
    /** The fault of a rule with a known method, worded after "The rule"; undefined if valid. */
    findFault(rule: Validation): string | undefined;
    /** The fault of a known format's parameters, worded after "The format". */
    findFormatFault?(format: Format): string | undefined;
}
export declare const fieldRules: FieldRules;
