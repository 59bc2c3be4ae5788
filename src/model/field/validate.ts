import type { ZodType } from 'zod';
import { type Clock, systemClock } from '../../core/clock.ts';
import type { Messages } from '../../core/request/response.ts';
import { isSentFile } from '../../core/request/sent-file.ts';
import { noteRule, type RuleNote } from '../../core/text/rule-note.ts';
import { toLocalText, translate } from '../../core/text/translate.ts';
import { toShortDecimal } from '../decimal/decimal.ts';
import { isRecord, isShallow, isUnstorable } from '../json/json-value.ts';
import type { ColumnModel, SchemaModel } from '../model.ts';
import { toReversedMessage } from '../period-message.ts';
import { isSystemSet } from '../server-set.ts';
import type { FieldType, Validation } from '../shape.ts';
import { toDefault } from './field-default.ts';
import { type FieldKind, fieldKinds } from './field-kind.ts';
import { MAX_ITEMS } from './field-kind-json.ts';
import { coerceNumber } from './field-kind-row.ts';
import { readGroups } from './fieldset-group.ts';
import { isOneLine } from './one-line.ts';
import { createPatience, findPatternError } from './text-pattern.ts';
import {
  type RuleContext,
  type RuleInput,
  type RuleTest,
  toRuleParams,
  type Validator,
  validators,
} from './validate-rule.ts';

const COUNTING = /^(?:char|word)_/;

/** The error of a definition's rule, worded after `The rule`; undefined if valid. */
export function findRuleError({ method, parameters }: Validation): string | undefined {
  const validator = Object.hasOwn(validators, method) ? validators[method] : undefined;
  if (!validator) return `"${method}" is unknown`;
  const list = parameters === undefined ? [] : [parameters].flat();
  const wanted = validator.parameters;
  if (wanted === 'none') return list.length === 0 ? undefined : `"${method}" takes no parameters`;
  const [parameter] = list;
  if (parameter === undefined || parameter === '') {
    return `"${method}" needs ${wanted === 'list' ? 'a list' : `a ${wanted}`} as parameters`;
  }
  if (wanted !== 'list' && list.length > 1) return `"${method}" takes one parameter, not ${list.length}`;
  if (wanted === 'number' && typeof coerceNumber(parameter) !== 'number') {
    return `"${method}" needs a number as parameters, not "${parameter}"`;
  }
  if (COUNTING.test(method) && !(Number.isInteger(Number(parameter)) && Number(parameter) >= 0)) {
    return `"${method}" counts, so it needs a whole number from 0 as parameters, not "${parameter}"`;
  }
  const error = wanted === 'pattern' ? findPatternError(String(parameter)) : undefined;
  return error === undefined ? undefined : `"${method}" has a pattern that ${error}`;
}

export { validators } from './validate-rule.ts';

export type ValidateMode = 'create' | 'update';
export type Values = Record<string, unknown>;

interface Rule {
  readonly test: RuleTest;
  /** Made when it is needed, in the language of the request. */
  readonly message: () => string;
  /** True for rules that also test a missing value: `required`, `empty`. */
  readonly seesNothing: boolean;
  /** The column that it compares with. */
  readonly against: string | undefined;
}

interface ColumnRules {
  readonly column: ColumnModel;
  readonly name: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  readonly required: () => string;
  readonly shape: ZodType;
  readonly misshapen: (value: unknown) => string;
  readonly rules: readonly Rule[];
  /** Rules of a fieldset's own fields. */
  readonly parts: readonly ColumnRules[] | undefined;
}

/** Rules about a list as a whole; other rules test each of its items. */
const WHOLE: ReadonlySet<string> = new Set(['required', 'empty', 'one']);

function toRuleInput({ parameters }: Validation): RuleInput {
  const list = parameters === undefined ? [] : Array.isArray(parameters) ? parameters : [parameters];
  return { parameter: list[0], list };
}

function createTest(method: string, test: RuleTest): RuleTest {
  if (WHOLE.has(method)) return test;
  return (value, context) => {
    if (Array.isArray(value)) return value.every((item) => isRecord(item) || test(item, context));
    return isRecord(value) || test(value, context);
  };
}

/** Rules that judge texts. Of a decimal there are several, such as 12.5 and 12.50. */
const SAME: ReadonlySet<string> = new Set(['ne', 'one', 'price']);

/** The test of a rule for the values of a type. */
function createTypeTest(validator: Validator, { method }: Validation, input: RuleInput, type: FieldType): RuleTest {
  if (type !== 'decimal' || !SAME.has(method)) return validator.test(input);
  const [parameter, ...rest] = input.list.map((each) => toShortDecimal(String(each)));
  const test = validator.test({ parameter, list: parameter === undefined ? [] : [parameter, ...rest] });
  return (value, context) => test(toShortDecimal(String(value)), context);
}

function compileRule(rule: Validation, column: ColumnModel, names: ReadonlyMap<string, string>): Rule[] {
  const validator: Validator | undefined = validators[rule.method];
  if (!validator || rule.method === 'unique' || rule.method === 'required') return [];
  const written = toRuleInput(rule);
  const against =
    validator.parameters === 'column' ? (names.get(String(written.parameter)) ?? String(written.parameter)) : undefined;
  const input = against === undefined ? written : { ...written, parameter: against };
  const note = { rule: rule.method, params: toRuleParams(rule.method, input) };
  return [
    {
      test: createTest(rule.method, createTypeTest(validator, rule, input, column.field.type)),
      message: () => toMessage(column, note, () => validator.words(written), rule.message),
      seesNothing: rule.method === 'empty',
      against,
    },
  ];
}

/** Kinds of one line, and lists of lines: a line break in one would be a further line of a mail, a log or a header. */
const OF_ONE_LINE: ReadonlySet<string> = new Set([
  'text',
  'email',
  'search',
  'url',
  'mask',
  'slug',
  'color',
  'tag',
  'textlist',
]);
const NOT_ONE_LINE = 'must be one line without control characters';

/** Whether a value of one line, or an item of a list of lines, has more. */
const isBroken = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isBroken) : typeof value === 'string' && !isOneLine(value);

const UNSTORABLE = 'must not contain the character U+0000 or half a surrogate pair';

/** A definition's own message, or the label and the rule in words; in the language of the request. */
function toMessage({ label, name }: ColumnModel, note: RuleNote, words: () => string, own?: string): string {
  const make = (): string => translate('{label} {rule}', { label: toLocalText(label), rule: toLocalText(words()) });
  return noteRule(own === undefined ? make() : toLocalText(own), note, name);
}

/** Message for a missing required value. */
export function toRequiredMessage(column: ColumnModel): string {
  const message = column.field.validation?.find(({ method }) => method === 'required')?.message;
  return toMessage(column, { rule: 'required' }, () => 'is required', message);
}

function compileColumns(columns: readonly ColumnModel[]): ColumnRules[] {
  const names = new Map(columns.flatMap(({ name, field }) => [[field.name, name] as const]));
  for (const { name } of columns) names.set(name, name);
  return columns
    .filter((column) => !isSystemSet(column))
    .map((column) => {
      const { field, name, parts } = column;
      const kind = fieldKinds[field.type];
      const written = field.validation ?? [];
      return {
        column,
        name,
        kind,
        isRequired: column.isRequired || written.some(({ method }) => method === 'required'),
        required: () => toRequiredMessage(column),
        shape: kind.shape(field),
        misshapen: (value) =>
          toMessage(
            column,
            { rule: 'type', params: { type: field.type } },
            () => kind.findError?.(value, field) ?? kind.expects(field),
          ),
        rules: written.flatMap((rule) => compileRule(rule, column, names)),
        parts: parts && compileColumns(parts),
      };
    });
}

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

/**
 * The message of the first rule that a value breaks; for a fieldset, those of its groups; undefined if valid.
 *
 * @param isSent False for a column of a new row that the stage leaves out: only `required` judges it.
 */
function judge(
  rules: ColumnRules,
  value: unknown,
  context: RuleContext,
  isSent: boolean,
): string | Messages | undefined {
  if (rules.isRequired && isNothing(value)) return rules.required();
  if (!isSent && isNothing(value)) return undefined;
  // An empty text or list counts as missing only for list columns; a select, a date and a number reject it.
  if (value === undefined || value === null || value === '' || (rules.kind.isJson && isNothing(value))) {
    return rules.rules.find((rule) => rule.seesNothing && !rule.test(value, context))?.message();
  }
  if (!isShallow(value)) return rules.misshapen(value);
  if (isUnstorable(value)) return toMessage(rules.column, { rule: 'characters' }, () => UNSTORABLE);
  if (OF_ONE_LINE.has(rules.kind.type) && isBroken(value)) {
    return toMessage(rules.column, { rule: 'one_line' }, () => NOT_ONE_LINE);
  }
  if (rules.parts) return judgeGroups(rules, rules.parts, value, context);
  if (!rules.shape.safeParse(value).success) return rules.misshapen(value);
  // Only the bytes of a sent file can be checked.
  if (isSentFile(value)) return undefined;
  return rules.rules.find((rule) => !rule.test(value, context))?.message();
}

function judgeGroups(
  rules: ColumnRules,
  parts: readonly ColumnRules[],
  value: unknown,
  { now, patience }: RuleContext,
): string | Messages | undefined {
  const groups = readGroups(rules.column, value);
  if (groups === undefined || groups.length > MAX_ITEMS) return rules.misshapen(value);
  if (groups.length === 0 && rules.isRequired) return rules.required();
  const messages: Messages = {};
  for (const { key, values } of groups) {
    const row: Values = {};
    const left = new Set<string>();
    for (const { name, kind, column } of parts) {
      const sent = Object.hasOwn(values, name) ? values[name] : undefined;
      if (sent === undefined) left.add(name);
      row[name] = kind.coerce(sent === undefined ? toDefault(column.field, now) : sent, now);
    }
    const own: Messages = key === '' ? messages : {};
    const context = patience === undefined ? { row, now } : { row, now, patience };
    for (const part of parts) {
      const message = judge(part, row[part.name], context, !left.has(part.name));
      if (message !== undefined) own[part.name] = message;
    }
    if (key !== '' && Object.keys(own).length > 0) messages[key] = own;
  }
  return Object.keys(messages).length > 0 ? messages : undefined;
}

/** Validates a stored value against a changed column: `ends` must be after `starts`, whichever changes. */
function judgeStored({ rules }: ColumnRules, value: unknown, sent: Values, context: RuleContext): string | undefined {
  if (value === undefined || value === null) return undefined;
  return rules
    .find(({ against, test }) => against !== undefined && Object.hasOwn(sent, against) && !test(value, context))
    ?.message();
}

/** True for two ends of a period of which the second comes before the first. */
const isReversed = (from: unknown, until: unknown): boolean =>
  (typeof from === 'string' && typeof until === 'string' && from > until) ||
  (typeof from === 'number' && typeof until === 'number' && from > until);

/** Adds messages for periods of `exclude` that end before they start, whichever end changes. */
function judgePeriods(schema: SchemaModel, row: Values, sent: Values, messages: Messages): void {
  for (const rule of schema.exclude) {
    const [from, until] = rule.range;
    if (!Object.hasOwn(sent, from) && !Object.hasOwn(sent, until)) continue;
    if (messages[from] !== undefined || messages[until] !== undefined) continue;
    // Decimals are texts of digits, and a double tells any two of them apart.
    const isDecimal = schema.byName.get(from)?.field.type === 'decimal';
    const [start, end] = [row[from], row[until]].map((value) =>
      isDecimal && typeof value === 'string' ? Number(value) : value,
    );
    if (isReversed(start, end)) messages[until] = toReversedMessage(schema, rule);
  }
}

/**
 * Compiles a schema's rules, once per plan.
 *
 * The result validates a stage (raw or coerced; keys are full column names) and gives messages by column: the
 * first broken rule of each, or an empty object. On update it validates only sent columns, and columns
 * compared with them; `stored` has the row's other values. Uniqueness and existence of related rows are left
 * to the database.
 */
export function compileValidator(
  schema: SchemaModel,
  clock: Clock = systemClock,
): (stage: Readonly<Values>, mode: ValidateMode, stored?: Readonly<Values>) => Messages {
  const columns = compileColumns(schema.columns);
  return (stage, mode, stored = {}) => {
    const now = clock.now();
    const messages: Messages = {};
    const sent: Values = {};
    for (const { name, kind } of columns) if (Object.hasOwn(stage, name)) sent[name] = kind.coerce(stage[name], now);
    const context = { row: { ...stored, ...sent }, now, patience: createPatience() };
    for (const column of columns) {
      const { name } = column;
      const isSent = Object.hasOwn(sent, name);
      const message =
        isSent || mode === 'create'
          ? judge(column, sent[name], context, isSent)
          : judgeStored(column, stored[name], sent, context);
      if (message !== undefined) messages[name] = message;
    }
    judgePeriods(schema, context.row, sent, messages);
    return messages;
  };
}

/** Message for a value that another row already has: the rule's own, or the default. */
export function toTakenMessage(column: ColumnModel): string {
  const rule = column.field.validation?.find(({ method }) => method === 'unique');
  return toMessage(column, { rule: 'taken' }, () => 'is already taken', rule?.message);
}

/** Messages by path, such as `order_lines[0].price`, for lists in a terminal. */
export function toFlatMessages(messages: Readonly<Record<string, unknown>>, prefix = ''): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [key, message] of Object.entries(messages)) {
    const path = prefix === '' ? key : /^\d+$/.test(key) ? `${prefix}[${key}]` : `${prefix}.${key}`;
    if (typeof message === 'string') flat[path] = message;
    else if (isRecord(message)) Object.assign(flat, toFlatMessages(message, path));
  }
  return flat;
}

/** Message of a failed validation: that of the only invalid field, or the names of all. */
export function toInvalidMessage(messages: Readonly<Record<string, unknown>>): string {
  const invalid = Object.entries(toFlatMessages(messages));
  const [first] = invalid;
  if (invalid.length === 1 && first !== undefined) return first[1];
  const names = invalid.map(([name]) => name).join(', ');
  return translate('{count} fields are not valid: {names}.', { count: invalid.length, names });
}
