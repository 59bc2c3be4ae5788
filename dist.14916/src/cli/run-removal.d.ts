import { type Removal } from '../edit/removal.ts';
import { type Invocation, type OptionSpec, type Outcome } from './spec.ts';
export declare const CASCADE: OptionSpec;
interface RemovalCommand extends Omit<Removal, 'isCascade'> {
    /** What remains in the database, in words. */
    readonly stays?: string;
    /** Additional effects outside of files, as lines. */
    readonly notes?: readonly string[];
    readonly next: readonly string[];
}
/**
 * Asks for confirmation at a terminal, removes, and lists what was removed.
 *
 * @throws ProblemsError as {@link applyRemoval}. @throws CLI_INTERRUPTED if the user declines.
 */
export declare function runRemoval(invocation: Invocation, removal: RemovalCommand): Promise<Outcome>;
export {};
