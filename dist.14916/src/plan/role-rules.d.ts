import type { Action, Grant } from '../core/access.ts';
import type { Model } from '../model/model.ts';
import { type RuleFilter, type RuleValues } from './rule-filter.ts';
/** What one role may do with a schema by one action. */
export interface Rule {
    readonly role: string;
    readonly index: number;
    /** Absent: every row. */
    readonly filter?: RuleFilter;
    readonly check?: RuleFilter;
    readonly read?: ReadonlySet<string>;
    readonly write?: ReadonlySet<string>;
}
/** The rules of all roles. */
export interface Ruler {
    /** Whether any role names the schema: then it is closed to what no role allows. */
    isRuled(schema: string): boolean;
    /** What these roles allow, in the order of their files. */
    list(schema: string, action: Action, roles: readonly string[]): readonly Rule[];
    /** The sum of these rules; undefined without rules. */
    combine(schema: string, rules: readonly Rule[], values: RuleValues): Grant | undefined;
    /** What the rules of these roles take from the person and the clock. */
    uses(roles: readonly string[]): {
        readonly names: readonly string[];
        readonly usesNow: boolean;
    };
}
/** The rules of a model; undefined where no role names a schema. */
export declare function findRuler(model: Model): Ruler | undefined;
