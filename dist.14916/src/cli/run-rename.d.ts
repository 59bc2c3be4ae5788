import { type RenameInput } from '../edit/rename.ts';
import { type Invocation, type OptionSpec, type Outcome } from './spec.ts';
export declare const CODE: OptionSpec;
interface RenameCommand extends Omit<RenameInput, 'isWithCode'> {
    /** Asked at a terminal before files are written. */
    readonly question: string;
    /** Lines after the changes: what stays, and what others must know. */
    readonly notes?: readonly string[];
    readonly next?: readonly string[];
}
/**
 * Asks for confirmation at a terminal, renames, and lists the changes.
 *
 * @throws ProblemsError as {@link applyRename}. @throws CLI_INTERRUPTED if the user declines.
 */
export declare function runRename(invocation: Invocation, command: RenameCommand): Promise<Outcome>;
export {};
