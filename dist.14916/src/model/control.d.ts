import { type Control } from './field-kind.ts';
import type { ColumnModel } from './model.ts';
import type { Field } from './shape.ts';
interface ControlOption {
    readonly key: string;
    readonly value: string;
}
/** The form control of a column, with everything that a page needs to render it. */
export interface FieldControl {
    readonly element: Control['element'];
    /** `type` of an `input`. */
    readonly type: string | undefined;
    /** Name of the posted value; ends in `[]` if there may be several. */
    readonly name: string;
    readonly label: string;
    readonly description: string | undefined;
    /** HTML attributes, including `required` if the browser should enforce it. */
    readonly attributes: Readonly<Record<string, string | number | boolean>>;
    /** Choices of a select, of radio buttons and of checkboxes. */
    readonly options: readonly ControlOption[];
    /** True if several values may be chosen, or a group of fields repeated. */
    readonly isMultiple: boolean;
    /** Value of a hidden input before a checkbox, since an unticked checkbox posts nothing. */
    readonly unticked: string | undefined;
    /** Controls of a fieldset's group. Their names follow the group's: `lines[0][price]`. */
    readonly parts: readonly FieldControl[];
}
type Attributes = Record<string, string | number | boolean>;
/** Attributes of a field's control: the type's, those from rules, then the definition's. */
export declare function toFieldAttributes(field: Field): Attributes;
/**
 * The control of a column: element, type, attributes, choices. The server enforces the attributes too, so a
 * form without them is less convenient, not less safe.
 */
export declare function toControl(column: ColumnModel): FieldControl;
/** The encoding of a form with these columns: files need `multipart/form-data`. */
export declare function toFormEncoding(columns: readonly ColumnModel[]): 'multipart/form-data' | 'application/x-www-form-urlencoded';
export {};
