import { type FileKind } from '../model/shape.ts';
import { type Change, type ChangedFile } from './change.ts';
import type { EditedProject } from './project.ts';
/**
 * Advice about a definition that was just written, one line each: an event without a listener, a URL that is never
 * called. None for a dry run, because there is nothing to compile.
 */
export declare function findAdvice(project: EditedProject, kind: FileKind, name: string): Promise<string[]>;
/**
 * As `applyChanges`, but also finds errors that linking does not, such as a hook's filter with a value that
 * its column cannot have. Errors that existed before do not stop it.
 *
 * @throws ProblemsError if the change breaks a definition; then nothing is written.
 */
export declare function applyJudged(project: EditedProject, changes: readonly Change[]): Promise<readonly ChangedFile[]>;
