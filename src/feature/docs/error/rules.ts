import { toRuleName, toRuleParams, validators } from '../../../model/field/validate-rule.ts';

/** A rule that `errors[].rule` may name. */
export interface RuleFacts {
  readonly name: string;
  /** What a value must be, or what is wrong with it, in a sentence. */
  readonly description: string;
  /** Keys of `params`; empty if it has none. */
  readonly params: readonly string[];
}

/** Rules beside those that a definition lists under `validation`. */
const OTHERS: readonly RuleFacts[] = [
  { name: 'type', description: 'Must be a value of the type of the field.', params: ['type'] },
  { name: 'one_line', description: 'Must be one line without control characters.', params: [] },
  { name: 'characters', description: 'Must not contain U+0000 or half a surrogate pair.', params: [] },
  { name: 'period', description: 'The end of a period must not come before its start.', params: ['column'] },
  { name: 'overlap', description: 'Another row has a part of the period.', params: ['columns'] },
  { name: 'reference', description: 'There is no such row, or the caller may not see it.', params: ['id'] },
  { name: 'linked', description: 'The row belongs to another row already.', params: ['id'] },
  { name: 'tree', description: 'The row would be below itself.', params: [] },
  { name: 'unknown', description: 'There is no such name; `suggestion` is the nearest one.', params: ['keys'] },
  { name: 'read_only', description: 'Only the site sets it, or the caller may not write it.', params: [] },
  { name: 'value', description: 'The parameter or key does not take this value.', params: [] },
  { name: 'header', description: 'The header is missing or has a wrong value.', params: [] },
  { name: 'limit', description: 'There are too many or too few at once.', params: ['min', 'max'] },
  { name: 'digits', description: 'The number has more digits than a JSON number keeps.', params: [] },
  { name: 'shape', description: 'The value does not have the form that a hand-written call takes.', params: [] },
  { name: 'failed', description: 'The operation of a batch failed as a whole.', params: [] },
  { name: 'custom', description: 'The site has a rule of its own; the detail says which.', params: [] },
];

/** Every rule that an answer may name, those of the validation table first. */
export const listRuleFacts = (): readonly RuleFacts[] => [
  ...Object.entries(validators).map(([method, { description, parameters }]) => ({
    name: toRuleName(method),
    description,
    params: parameters === 'none' ? [] : Object.keys(toRuleParams(method, { parameter: 1, list: [1] }) ?? {}),
  })),
  ...OTHERS,
];
