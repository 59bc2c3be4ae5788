import { fieldKinds } from '../../model/field/field-kind.ts';
import { findRuleError, validators } from '../../model/field/validate.ts';
import type { Field, Validation } from '../../model/shape.ts';
import { parseRule } from '../keys/rule.ts';
import type { Choice, Prompt } from '../prompt.ts';

/** Context of the questions about fields. */
export interface FieldQuestion {
  readonly prompt: Prompt;
  /** Existing fields. */
  readonly fields: readonly Field[];
  /** Names of the project's fieldsets. */
  readonly fieldsets: readonly string[];
  /** True for fields of a fieldset, which have no columns. */
  readonly isGroup: boolean;
}

const COUNTS = ['lt', 'lte', 'gt', 'gte'] as const;
const prefixed = (prefix: string): string[] => COUNTS.map((name) => `${prefix}${name}`);

/** Rules that suit a field's type. `required` and `unique` have their own flags. */
export function listSuited(
  field: Pick<Field, 'type' | 'name'>,
  fields: readonly Pick<Field, 'type' | 'name'>[],
): string[] {
  const { group, isText, isLong, isJson, isSystem, sql } = fieldKinds[field.type];
  if (sql === undefined || isSystem) return [];
  const isAlike = fields.some(({ name, type }) => name !== field.name && fieldKinds[type].group === group);
  const columns = isAlike ? prefixed('column_') : [];
  if (isJson || group === 'file') return ['empty'];
  if (group === 'number') return [...prefixed(''), ...columns, 'one'];
  if (group === 'date') return ['pastdate', 'presentdate', 'futuredate', ...columns];
  if (group === 'option') return ['one', 'ne'];
  if (!isText) return ['empty'];
  const typed = ['email', 'url', 'hex', 'cc'].filter((method) => method !== field.type);
  return [
    'empty',
    ...prefixed('char_'),
    ...(isLong ? prefixed('word_') : []),
    'regexp',
    'one',
    'ne',
    ...(isLong ? [] : typed),
  ];
}

const PARAMETERS: Readonly<Record<string, string>> = {
  number: 'a number',
  text: 'a text',
  list: 'values, separated by commas',
  pattern: 'a pattern such as /^[a-z]+$/i',
};

/** Asks for the rules of a field, and their parameters. */
export async function askRules(field: Field, { prompt, fields }: FieldQuestion): Promise<Validation[]> {
  const suited = listSuited(field, fields);
  if (suited.length === 0) return [];
  const longest = Math.max(...suited.map((method) => method.length));
  const choices = suited.map((method): Choice => {
    return { value: method, name: `${method.padEnd(longest)}  ${validators[method]?.description ?? ''}` };
  });
  const chosen = await prompt.several(`Rules of ${field.name} (space selects, enter continues):`, choices);
  const rules: Validation[] = [];
  for (const method of suited.filter((each) => chosen.includes(each))) {
    const parameters = await askParameter(method, field, { prompt, fields });
    const message = await prompt.text(`Error message of ${method} (leave empty for the default):`, {
      isOptional: true,
    });
    rules.push({ method, ...(parameters === undefined ? {} : { parameters }), ...(message === '' ? {} : { message }) });
  }
  return rules;
}

async function askParameter(
  method: string,
  field: Field,
  { prompt, fields }: Pick<FieldQuestion, 'prompt' | 'fields'>,
): Promise<Validation['parameters']> {
  const kind = validators[method]?.parameters ?? 'none';
  if (kind === 'none') return undefined;
  if (kind === 'column') {
    const { group } = fieldKinds[field.type];
    const others = fields.filter(({ name, type }) => name !== field.name && fieldKinds[type].group === group);
    return prompt.choice(
      `${method} compares with:`,
      others.map(({ name }) => name),
    );
  }
  const read = (text: string): Validation =>
    parseRule(kind === 'text' ? JSON.stringify({ method, parameters: text }) : `${method}:${text}`);
  const answer = await prompt.text(`${method} takes ${PARAMETERS[kind] ?? kind}:`, {
    check: (text) => {
      const error = findRuleError(read(text));
      return error === undefined ? undefined : `The rule ${error}.`;
    },
  });
  return read(answer).parameters;
}
