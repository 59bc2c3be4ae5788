import type { Action } from '../../core/access.ts';
import type { CompiledPlan } from '../../plan/compile.ts';
import type { CallPlan } from '../../plan/feature.ts';
import type { Application } from '../application.ts';
/** What one role says of a call. */
interface RoleRuling {
    readonly role: string;
    readonly action: Action;
    /** As the role's file has it. */
    readonly rule: unknown;
    readonly file: string;
}
/** What roles say of the rows that a call reaches. */
export interface RuleFacts {
    readonly schema: string;
    readonly actions: readonly Action[];
    /** The roles of whoever asks. */
    readonly held: readonly string[];
    readonly rules: readonly RoleRuling[];
    /** The condition on rows for each action; `null` for every row, undefined where the action is refused. */
    readonly conditions: readonly {
        readonly action: Action;
        readonly sql: string | null | undefined;
    }[];
}
type Row = Readonly<Record<string, unknown>>;
/**
 * What roles say of a call; undefined where none names its schema.
 *
 * @param me The account and profile of the user who asks, as `auth-detail` gives them.
 */
export declare function findRules(plan: CompiledPlan, call: CallPlan, me: Row | undefined): RuleFacts | undefined;
/** The account and profile of a user, for {@link findRules}. */
export declare function readMe(app: Application, email: string): Promise<Row | undefined>;
/** The rules, a line each, for a person. */
export declare function toRuleLines({ schema, held, rules, conditions }: RuleFacts): string[];
export {};
