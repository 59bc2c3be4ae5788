import { type Definitions } from '../definitions.ts';
import { type FieldRules } from '../field-rules.ts';
import type { Source } from '../parse.ts';
import type { Field } from '../shape.ts';
import type { Report } from './report.ts';
export interface FieldContext {
    readonly source: Source<{
        readonly fields: readonly Field[];
    }>;
    readonly definitions: Definitions;
    readonly rules: FieldRules;
    readonly report: Report;
    /**
     * True for a fieldset: its fields share one JSON column, so they cannot be searched or be special fields.
     */
    readonly isFieldset: boolean;
}
/** Checks the fields of a schema or a fieldset. */
export declare function checkFields(context: FieldContext): void;
/** Maximum nesting of fieldsets. */
export declare const MAX_FIELDSETS = 8;
/** Reports fieldsets that contain themselves, directly or not, and those nested too deep. */
export declare function checkFieldsetCycles(definitions: Definitions, report: Report): void;
