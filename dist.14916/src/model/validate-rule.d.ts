import { type Patience } from './text-pattern.ts';
/** Parameters of a rule. */
export interface RuleInput {
    /** The rule's parameter in the definition; for a rule with one parameter, the first item of a list. */
    readonly parameter: string | number | undefined;
    readonly list: readonly (string | number)[];
}
/** What a rule may use in addition to the value. */
export interface RuleContext {
    /** The row's values by full column name, stored ones included. */
    readonly row: Readonly<Record<string, unknown>>;
    /** Milliseconds since 1970. */
    readonly now: number;
    /** Time left for the regular expressions of this row. */
    readonly patience?: Patience;
}
export type RuleTest = (value: unknown, context: RuleContext) => boolean;
declare const RULE_PARAMETERS: readonly ['none', 'number', 'text', 'list', 'column', 'pattern'];
/** A validation method. */
export interface Validator {
    /** One line for the docs. */
    readonly description: string;
    readonly parameters: (typeof RULE_PARAMETERS)[number];
    /** The rule in words, after the label; used if the definition has no message. */
    words(input: RuleInput): string;
    /** Compiled once per plan. Only `required` and `empty` are tested on null. */
    test(input: RuleInput): RuleTest;
}
/** Every validation method by name. */
export declare const validators: Readonly<Record<string, Validator>>;
export {};
