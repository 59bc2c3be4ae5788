import { TreadleError } from '../../core/errors.ts';
import type { MigrationStep } from '../migration-step.ts';
import { type Conversion } from './convert.ts';
/** The data changed since the plan was made. */
export declare function staleError(): TreadleError;
export interface KeepingValues {
    readonly before: readonly string[];
    readonly after: readonly string[];
    readonly conversion: Conversion;
    readonly copy: string | undefined;
}
/**
 * A step that reads every value again inside the transaction, copies those that change, and writes the
 * converted ones.
 */
export declare function keepValuesStep(step: MigrationStep, { before, after, conversion, copy }: KeepingValues): MigrationStep;
