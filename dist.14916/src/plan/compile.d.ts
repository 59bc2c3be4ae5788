import type { Problem } from '../core/errors.ts';
import type { SystemTable } from '../database/database.ts';
import type { Model } from '../model/model.ts';
import type { Draft } from './draft.ts';
import type { Contribution, Feature, Plan, RenderMail } from './feature.ts';
/** A plan with the contributions to activate: listeners, workers and seeds. */
export interface CompiledPlan extends Plan {
    readonly contributions: readonly Contribution[];
    readonly draft: Draft;
}
export interface CompileOptions {
    readonly model: Model;
    readonly draft: Draft;
    readonly features: readonly Feature[];
    readonly isDevelopment: boolean;
    /** Tables of parts other than features, such as sessions. */
    readonly tables?: readonly SystemTable[];
    /** The project's own mails. Default none. */
    readonly renderMail?: RenderMail;
}
/**
 * Compiles a model and the project's registered code to a plan. Needs no database, and has no side effect but
 * closing the draft.
 */
export declare function compilePlan(options: CompileOptions): {
    plan: CompiledPlan;
    problems: Problem[];
};
