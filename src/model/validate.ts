import type { ZodType } from 'zod';
import { type Clock, systemClock } from '../core/clock.ts';
import { type FieldKind, fieldKinds } from './field-kind.ts';
import type { ColumnModel, SchemaModel } from './model.ts';
import type { Validation } from './shape.ts';
import { type RuleContext, type RuleInput, type RuleTest, type Validator, validators } from './validate-rule.ts';
import { findPatternFault } from './validate-test.ts';

export type { Validator } from './validate-rule.ts';
export { validators } from './validate-rule.ts';

export type ValidateMode = 'create' | 'update';
export type Values = Record<string, unknown>;

interface Rule {
  readonly test: RuleTest;
  readonly message: string;
  /** Asked about nothing too: `required`, `empty`. */
  readonly seesNothing: boolean;
}

interface ColumnRules {
  readonly name: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  readonly required: string;
  readonly shape: ZodType;
  readonly misshapen: string;
  readonly rules: readonly Rule[];
}

function toRuleInput({ parameters }: Validation): RuleInput {
  const list = parameters === undefined ? [] : Array.isArray(parameters) ? parameters : [parameters];
  return { parameter: list[0], list };
}

function toMessage(label: string, validator: Validator, rule: Validation): string {
  return rule.message ?? `${label} ${validator.words(toRuleInput(rule))}`;
}

function compileColumn(column: ColumnModel): ColumnRules {
  const kind = fieldKinds[column.field.type];
  const written = column.field.validation ?? [];
  const required = written.find(({ method }) => method === 'required');
  const rules = written.flatMap((rule): Rule[] => {
    const validator = validators[rule.method];
    if (!validator || rule.method === 'unique' || rule.method === 'required') return [];
    return [
      {
        test: validator.test(toRuleInput(rule)),
        message: toMessage(column.label, validator, rule),
        seesNothing: rule.method === 'empty',
      },
    ];
  });
  return {
    name: column.name,
    kind,
    isRequired: column.isRequired || required !== undefined,
    required: required?.message ?? `${column.label} is required`,
    shape: kind.shape(column.field),
    misshapen: `${column.label} ${kind.expects(column.field)}`,
    rules,
  };
}

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

/** The message of the first rule that a value breaks; undefined where it breaks none. */
function judge(column: ColumnRules, value: unknown, context: RuleContext): string | undefined {
  if (column.isRequired && isNothing(value)) return column.required;
  // Blanks and an empty list are something to every column but one of lists: a select, a date and a number refuse them.
  if (value === undefined || value === null || value === '' || (column.kind.isJson && isNothing(value))) {
    return column.rules.find((rule) => rule.seesNothing && !rule.test(value, context))?.message;
  }
  if (!column.shape.safeParse(value).success) return column.misshapen;
  return column.rules.find((rule) => !rule.test(value, context))?.message;
}

/**
 * Compiles a schema's rules, once per plan.
 *
 * The result judges a stage (raw or coerced; keys are full column names): messages by column, the first broken rule's
 * for each, none where all is well. On update only what is sent is judged; `stored` gives the row's other values to rules
 * that compare columns. That a value is unique and a related row there is for the database to say.
 */
export function compileValidator(
  schema: SchemaModel,
  clock: Clock = systemClock,
): (stage: Readonly<Values>, mode: ValidateMode, stored?: Readonly<Values>) => Record<string, string> {
  const columns = schema.columns.filter(({ field }) => !fieldKinds[field.type].isSystem).map(compileColumn);
  return (stage, mode, stored = {}) => {
    const now = clock.now();
    const messages: Record<string, string> = {};
    const sent: Values = {};
    for (const { name, kind } of columns) if (Object.hasOwn(stage, name)) sent[name] = kind.coerce(stage[name], now);
    const context = { row: { ...stored, ...sent }, now };
    for (const column of columns) {
      if (mode === 'update' && !Object.hasOwn(sent, column.name)) continue;
      const message = judge(column, sent[column.name], context);
      if (message !== undefined) messages[column.name] = message;
    }
    return messages;
  };
}

/** Message for a value that another row has: the rule's own, or `<Label> is taken already`. */
export function toTakenMessage(column: ColumnModel): string {
  const rule = column.field.validation?.find(({ method }) => method === 'unique');
  return rule?.message ?? `${column.label} is taken already`;
}

/** What a failed validation says as a whole: its one message, or how many fields are wrong. */
export function toInvalidMessage(messages: Readonly<Record<string, unknown>>): string {
  const [first, ...rest] = Object.values(messages);
  return rest.length === 0 && typeof first === 'string' ? first : `${rest.length + 1} fields are not valid.`;
}

/** What is wrong with a rule of a definition, after `The rule`; undefined where nothing is. For `check`. */
export function findRuleFault(rule: Validation): string | undefined {
  const validator = validators[rule.method];
  if (!validator) return `"${rule.method}" is unknown`;
  const { parameter } = toRuleInput(rule);
  if (validator.parameters !== 'none' && parameter === undefined) {
    return `"${rule.method}" needs ${validator.parameters === 'list' ? 'a list' : `a ${validator.parameters}`} as parameters`;
  }
  if (validator.parameters === 'number' && Number.isNaN(Number(parameter))) {
    return `"${rule.method}" needs a number as parameters, not "${parameter}"`;
  }
  const fault = validator.parameters === 'pattern' ? findPatternFault(String(parameter)) : undefined;
  return fault === undefined ? undefined : `"${rule.method}" has a pattern that ${fault}`;
}
