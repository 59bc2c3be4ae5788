import { type Problem } from '../core/errors.ts';
import type { Definitions } from '../model/definitions.ts';
import { type FileKind } from '../model/shape.ts';
import type { EditedProject } from './project.ts';
/** The new value of a definition; without a value its file is removed. */
export interface Change {
    readonly kind: FileKind;
    readonly name: string;
    readonly value: unknown;
}
export type ChangeKind = 'created' | 'changed' | 'unchanged' | 'removed';
export interface ChangedFile {
    readonly file: string;
    readonly change: ChangeKind;
    readonly text: string | undefined;
    /** Current text; undefined for a new file. */
    readonly before?: string | undefined;
}
/**
 * Writes changes to definitions, all or none. They are first parsed and linked in memory. Existing problems do not
 * stop it; new problems do.
 *
 * @throws ProblemsError if the change breaks a definition; then nothing is written.
 */
export declare function applyChanges(project: EditedProject, changes: readonly Change[]): Promise<readonly ChangedFile[]>;
export interface Preview {
    readonly before: Definitions;
    readonly after: Definitions;
    readonly files: readonly ChangedFile[];
}
/** As {@link applyChanges}, without writing. @throws ProblemsError if the change breaks a definition. */
export declare function previewChanges(project: EditedProject, changes: readonly Change[]): Promise<Preview>;
/** The same problem before and after a change. */
export declare const identify: ({ code, file, path, message }: Problem) => string;
