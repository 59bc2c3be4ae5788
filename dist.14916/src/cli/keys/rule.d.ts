import type { Validation } from '../../model/shape.ts';
/**
 * `method[:parameter][:message]` as a rule, or JSON. A method without a parameter takes its message at once
 * (`required:Title is required`); a list is by comma; a pattern with a message stands between `/` and `/`.
 *
 * @throws CLI_USAGE for a method that is not there.
 */
export declare function parseRule(text: string): Validation;
/** A rule as its flag says it. */
export declare function toRuleText(rule: Validation): string;
