import { type Field, type FieldType } from '../../model/shape.ts';
import type { Choice, Prompt } from '../prompt.ts';
/** Context of the questions about fields. */
export interface FieldQuestion {
    readonly prompt: Prompt;
    /** Existing fields. */
    readonly fields: readonly Field[];
    /** Names of the project's fieldsets. */
    readonly fieldsets: readonly string[];
    /** True for fields of a fieldset, which have no columns. */
    readonly isGroup: boolean;
}
export declare const guessType: (name: string) => FieldType;
/** Every type that this field may have, with its group and description. */
export declare function listTypes({ fields, fieldsets, isGroup }: Omit<FieldQuestion, 'prompt'>): Choice[];
/** Asks for fields until the name is empty. */
export declare function askFields(question: FieldQuestion): Promise<Field[]>;
/** Asks for the properties of a field. */
export declare function askField(name: string, question: FieldQuestion): Promise<Field>;
