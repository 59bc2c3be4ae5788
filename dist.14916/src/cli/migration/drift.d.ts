import type { Problem } from '../../core/errors.ts';
import type { CompiledPlan } from '../../plan/compile.ts';
/**
 * Tables and columns without a definition, as advice. Nothing if the database does not exist yet, or cannot
 * be opened, because checking definitions needs none. Creates nothing.
 */
export declare function findDrift(root: string, plan: CompiledPlan | undefined): Promise<Problem[]>;
