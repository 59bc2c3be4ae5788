import { type Change } from '../../edit/change.ts';
import type { Invocation } from '../spec.ts';
/**
 * Shows the changes and the resulting migration, and asks for confirmation.
 *
 * @throws ProblemsError if a definition would be invalid. @throws CLI_INTERRUPTED if the user declines.
 */
export declare function confirmPreview(invocation: Invocation, changes: readonly Change[]): Promise<void>;
