import type { NameChange } from '../../model/rename/apply.ts';
import type { Renames } from '../../model/rename/renames.ts';
export interface TextRenames {
    readonly renames: Renames;
    /** A renamed definition. */
    readonly moved?: NameChange;
    /** A renamed field: fixtures may name it without its schema. */
    readonly field?: {
        readonly schema: string;
        readonly from: string;
        readonly to: string;
    };
    /** Whether to rename columns and schemas in code too, or only list them. Default false. */
    readonly isWithCode?: boolean;
}
/** The new text of a file; `to` if the file moves. */
export interface TextChange {
    readonly file: string;
    readonly to?: string;
    readonly before: string;
    readonly after: string;
}
/** A line that contains an old name and was not changed. */
export interface Left {
    readonly file: string;
    readonly line: number;
    readonly name: string;
    readonly text: string;
}
export interface TextPlan {
    readonly changes: readonly TextChange[];
    readonly left: readonly Left[];
}
/** Plans the changes of a project's own files for a rename, and lists the lines that a person must change. */
export declare function planTextRenames(root: string, input: TextRenames): Promise<TextPlan>;
