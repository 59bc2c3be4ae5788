import type { Definitions } from '../model/definitions.ts';
import { type Target } from '../model/removal/target.ts';
import { type Left } from '../project/rename/rename-texts.ts';
import { type ChangedFile } from './change.ts';
import type { EditedProject } from './project.ts';
export interface Removal {
    readonly definitions: Definitions;
    readonly target: Target;
    /** For use in a sentence: `the schema "article"`. */
    readonly words: string;
    /** If true, everything that names it is removed too. */
    readonly isCascade: boolean;
}
export interface RemovalResult {
    readonly files: readonly ChangedFile[];
    /** Lines of code and templates that still name it. */
    readonly left: readonly Left[];
}
/**
 * Removes a definition, or reports what would break.
 *
 * @throws ProblemsError with every place that names it, unless these are removed too; then nothing is written.
 */
export declare function applyRemoval(project: EditedProject, removal: Removal): Promise<RemovalResult>;
