import type { Definitions } from '../model/definitions.ts';
import type { NameChange, Renamed } from '../model/rename/apply.ts';
import { type Left, type TextRenames } from '../project/rename/rename-texts.ts';
import type { EditedProject } from './project.ts';
export interface RenameInput {
    readonly definitions: Definitions;
    readonly renamed: Renamed;
    readonly moved?: NameChange;
    readonly field?: TextRenames['field'];
    readonly isWithCode: boolean;
}
/** A file that a rename changes or moves. */
export interface RenameEdit {
    readonly file: string;
    /** Old path, if the file moves. */
    readonly from?: string;
    readonly before: string;
    readonly after: string;
}
export interface RenameResult {
    readonly edits: readonly RenameEdit[];
    /** Lines of code that still name it. */
    readonly left: readonly Left[];
}
/**
 * Renames: prepares everything in memory, links the result, and only then writes, all files or none.
 *
 * @throws ProblemsError if the project would get a new problem; then nothing is written.
 */
export declare function applyRename(project: EditedProject, input: RenameInput): Promise<RenameResult>;
