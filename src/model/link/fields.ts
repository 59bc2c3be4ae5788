import { toDidYouMean } from '../../core/text/suggest.ts';
import { type Definitions, hasDefinition, toNames } from '../definitions.ts';
import { FLAGS } from '../field/field-rules.ts';
import { findFieldReserve, listFormer, toTable } from '../names.ts';
import type { Field, FieldType, Validation } from '../shape.ts';
import { checkDecimal } from './decimal-field.ts';
import { checkAttributes, checkDefault, checkFormat, checkOptions, type FieldContext } from './field-values.ts';
import type { Report } from './report.ts';

type Path = readonly (string | number)[];

const OPTION_TYPES: ReadonlySet<FieldType> = new Set(['select', 'radios', 'multiselect', 'checkboxes']);
const ROW_TYPES: ReadonlySet<FieldType> = new Set(['active', 'created', 'updated']);

function checkNames({ source, report }: FieldContext): void {
  const seen = new Map<string, number>();
  for (const [index, field] of source.value.fields.entries()) {
    const at = ['fields', index, 'name'];
    const reserve = findFieldReserve(field.name);
    if (reserve !== undefined) {
      const message = `A field may not be named "${field.name}": ${reserve}.`;
      report.add(source, at, { code: 'MODEL_FIELD_RESERVED', message, hint: 'Choose another name.' });
    }
    const key = toTable(field.name).toLowerCase();
    const first = seen.get(key);
    if (first !== undefined) {
      const message = `Two fields are named "${field.name}", this one and fields[${first}].`;
      const hint = 'Rename or remove one: a column name does not distinguish "-" from "_", nor upper from lower case.';
      report.add(source, at, { code: 'MODEL_FIELD_DUPLICATE', message, hint });
    } else seen.set(key, index);
  }
  for (const [index, field] of source.value.fields.entries()) {
    for (const was of listFormer(field.was)) {
      const at = seen.get(toTable(was).toLowerCase());
      // If that field was renamed too, the names were shifted or exchanged, which is allowed.
      const holder = at === undefined ? undefined : source.value.fields[at];
      if (holder === undefined || (holder !== field && holder.was !== undefined)) continue;
      const message = `"was" of the field "${field.name}" names "${was}", which still exists.`;
      const hint = 'Remove "was", or the field that it names.';
      report.add(source, ['fields', index, 'was'], { code: 'MODEL_FIELD_WAS', message, hint });
    }
  }
}

function checkType(context: FieldContext, field: Field, path: Path): void {
  const { source, report, isFieldset, definitions } = context;
  const { type } = field;
  if (isFieldset && (ROW_TYPES.has(type) || type === 'ipaddress' || type === 'password' || type === 'computed')) {
    const why = type === 'password' ? 'since a group is shown whole' : 'which belongs to a row';
    const message = `A field of a fieldset may not be of type ${type}, ${why}.`;
    report.add(source, [...path, 'type'], { code: 'MODEL_FIELD_TYPE', message, hint: 'Move it to the schema.' });
  }
  const first = source.value.fields.findIndex((other) => other.type === type);
  if (ROW_TYPES.has(type) && path[1] !== first) {
    const message = `There are two fields of type ${type}; fields[${first}] is one already.`;
    report.add(source, [...path, 'type'], { code: 'MODEL_FIELD_TYPE', message, hint: 'Remove one.' });
  }
  if (OPTION_TYPES.has(type) && (field.options ?? []).length === 0) {
    const message = `The field "${field.name}" of type ${type} has no options.`;
    const hint = 'Add "options": [{ "key": "…", "value": "…" }].';
    report.add(source, path, { code: 'MODEL_FIELD_OPTIONS', message, hint });
  }
  if (type === 'fieldset') {
    const name = field.fieldset;
    if (name === undefined) {
      const message = `The field "${field.name}" of type fieldset names no fieldset.`;
      const hint = 'Add "fieldset": the name of a file in config/fieldset.';
      report.add(source, path, { code: 'MODEL_FIELDSET_UNKNOWN', message, hint });
    } else if (!hasDefinition(definitions, 'fieldset', name)) {
      const message = `There is no fieldset "${name}".`;
      const hint = toDidYouMean(name, toNames(definitions, 'fieldset'));
      report.add(source, [...path, 'fieldset'], { code: 'MODEL_FIELDSET_UNKNOWN', message, hint });
    }
  }
  for (const [key, owner] of [
    ['fieldset', 'fieldset'],
    ['multiple', 'fieldset'],
    ['columns', 'table'],
    ['precision', 'decimal'],
    ['scale', 'decimal'],
    ['currency', 'decimal'],
    ['expression', 'computed'],
    ['stored', 'computed'],
  ] as const) {
    if (field[key] === undefined || type === owner || (key === 'currency' && type === 'computed')) continue;
    const message = `"${key}" has no effect on the field "${field.name}", because its type is ${type}.`;
    const hint = `Only type ${owner} has it: remove it.`;
    report.add(source, [...path, key], { code: 'MODEL_FIELD_KEY_IDLE', message, hint, severity: 'advice' });
  }
}

function checkFlags({ source, report, rules, isFieldset }: FieldContext, field: Field, path: Path): void {
  const allowed = rules.flags(field.type);
  for (const flag of FLAGS) {
    if (field[flag] !== true) continue;
    const isColumnFlag = flag !== 'required';
    if (allowed.has(flag) && !(isFieldset && isColumnFlag)) continue;
    const who = isFieldset && isColumnFlag ? 'A field of a fieldset' : `A field of type ${field.type}`;
    const message = `${who} may not be ${flag}.`;
    const list = [...allowed].join(', ');
    const hint = isFieldset || list === '' ? `Remove "${flag}".` : `Type ${field.type} may be: ${list}.`;
    report.add(source, [...path, flag], { code: 'MODEL_FIELD_FLAG', message, hint });
  }
}

/** Keys that say how a value is entered: nobody enters a computed one. */
const ENTERED = ['default', 'validation', 'write', 'attributes', 'options'] as const;

/** Judges what a computed field says besides its expression. */
function checkComputed({ source, report, isFieldset }: FieldContext, field: Field, path: Path): void {
  if (field.type !== 'computed' || isFieldset) return;
  if (field.expression === undefined) {
    const message = `The field "${field.name}" of type computed has no expression.`;
    const hint = 'Add "expression", such as "price * quantity".';
    report.add(source, path, { code: 'MODEL_EXPRESSION', message, hint });
  }
  if (field.unique === true && field.stored !== true) {
    const message = `The computed field "${field.name}" is unique, but no column stores it.`;
    report.add(source, [...path, 'unique'], { code: 'MODEL_FIELD_FLAG', message, hint: 'Add "stored": true.' });
  }
  for (const key of ENTERED) {
    if (field[key] === undefined) continue;
    const message = `"${key}" has no effect on the field "${field.name}", because nobody enters what is computed.`;
    report.add(source, [...path, key], {
      code: 'MODEL_FIELD_KEY_IDLE',
      message,
      hint: 'Remove it.',
      severity: 'advice',
    });
  }
}

/** A group is written as a whole, and a field without a column is never written. */
function checkWrite({ source, report, isFieldset }: FieldContext, field: Field, path: Path): void {
  if (field.write === undefined || (!isFieldset && field.type !== 'none')) return;
  const who = isFieldset ? 'A field of a fieldset' : 'A field of type none';
  const hint = isFieldset ? 'Put "write" on the field of the schema that has the fieldset.' : 'Remove "write".';
  report.add(source, [...path, 'write'], { code: 'MODEL_FIELD_WRITE', message: `${who} may not have "write".`, hint });
}

/** Columns of profiles are part of the rows that belong to them. The name is public, and so is what people are found by. */
function advisePrivate({ source, report, rules, isFieldset }: FieldContext, field: Field, path: Path): void {
  const { name } = source.value;
  if (isFieldset || name !== 'profile' || field.name === 'name' || field.private !== undefined) return;
  if (field.searchable === true || !rules.flags(field.type).has('private')) return;
  const message = `Whoever sees a row that belongs to a profile sees the profile's "${field.name}", too.`;
  const hint = 'Write "private": true, so that only its owner does; or "private": false, if that is intended.';
  report.add(source, path, { code: 'MODEL_PROFILE_OPEN', message, hint, severity: 'advice' });
}

/** Whoever finds a row by a word knows that the row has it. */
function checkPrivate(context: FieldContext, field: Field, path: Path): void {
  const { source, report } = context;
  advisePrivate(context, field, path);
  if (field.private !== true || field.searchable !== true) return;
  const message = `The field "${field.name}" is private and searchable, so "q" would tell everybody which rows have a word.`;
  const hint = 'Remove "searchable", or write "private": false.';
  report.add(source, [...path, 'private'], { code: 'MODEL_FIELD_PRIVATE', message, hint });
}

function checkMethod(context: FieldContext, field: Field, rule: Validation, path: Path): void {
  const { source, report, rules } = context;
  if (!rules.methods.has(rule.method)) {
    const message = `There is no validation method "${rule.method}".`;
    const hint = toDidYouMean(rule.method, rules.methods);
    report.add(source, [...path, 'method'], { code: 'MODEL_VALIDATION_UNKNOWN', message, hint });
    return;
  }
  const flag = FLAGS.find((name) => name === rule.method);
  const isOut =
    flag !== undefined && (!rules.flags(field.type).has(flag) || (context.isFieldset && flag !== 'required'));
  if (isOut) {
    const who = context.isFieldset && flag !== 'required' ? 'A field of a fieldset' : `A field of type ${field.type}`;
    const hint = 'Remove the rule.';
    report.add(source, [...path, 'method'], { code: 'MODEL_FIELD_FLAG', message: `${who} may not be ${flag}.`, hint });
    return;
  }
  const error = rules.findError(rule);
  const columns = source.value.fields.map((field) => field.name);
  if (error !== undefined) {
    const message = `The rule ${error}.`;
    const at = rule.parameters === undefined ? path : [...path, 'parameters'];
    report.add(source, at, { code: 'MODEL_VALIDATION_PARAMETERS', message, hint: 'Correct "parameters".' });
  } else if (rule.method.startsWith('column_')) {
    const name = String(rule.parameters);
    const isKnown = columns.some(
      (column) => column === name || (!context.isFieldset && name.endsWith(`_${toTable(column)}`)),
    );
    if (isKnown) return;
    const message = `The validation method "${rule.method}" compares with "${name}", which is not a field here.`;
    const hint = toDidYouMean(name, columns);
    report.add(source, [...path, 'parameters'], { code: 'MODEL_VALIDATION_COLUMN', message, hint });
  }
}

/** Checks the fields of a schema or a fieldset. */
export function checkFields(context: FieldContext): void {
  checkNames(context);
  for (const [index, field] of context.source.value.fields.entries()) {
    const path = ['fields', index];
    checkType(context, field, path);
    checkDecimal(context, field, path);
    checkFlags(context, field, path);
    checkComputed(context, field, path);
    for (const [at, rule] of (field.validation ?? []).entries())
      checkMethod(context, field, rule, [...path, 'validation', at]);
    checkWrite(context, field, path);
    checkPrivate(context, field, path);
    checkAttributes(context, field, path);
    checkDefault(context, field, path);
    checkOptions(context, field, path);
    checkFormat(context, field.list, [...path, 'list']);
    checkFormat(context, field.detail, [...path, 'detail']);
  }
}

/** Maximum nesting of fieldsets. */
export const MAX_FIELDSETS = 8;

/** Reports fieldsets that contain themselves, directly or not, and those nested too deep. */
export function checkFieldsetCycles(definitions: Definitions, report: Report): void {
  const reach = (name: string, seen: Set<string>): Set<string> => {
    for (const field of definitions.fieldset.get(name)?.value.fields ?? []) {
      const next = field.type === 'fieldset' ? field.fieldset : undefined;
      if (next === undefined || seen.has(next)) continue;
      seen.add(next);
      reach(next, seen);
    }
    return seen;
  };
  const measure = (name: string): number =>
    1 +
    Math.max(
      0,
      ...(definitions.fieldset.get(name)?.value.fields ?? []).map(({ fieldset }) =>
        fieldset === undefined ? 0 : measure(fieldset),
      ),
    );
  for (const [name, source] of definitions.fieldset) {
    const reached = reach(name, new Set());
    if (!reached.has(name)) {
      const isCircling = [...reached].some((other) => reach(other, new Set()).has(other));
      if (!isCircling && measure(name) > MAX_FIELDSETS) {
        const message = `The fieldset "${name}" nests others more than ${MAX_FIELDSETS} deep.`;
        const hint = 'Move the innermost fields to a schema of their own.';
        report.add(source, ['fields'], { code: 'MODEL_FIELDSET_DEEP', message, hint });
      }
      continue;
    }
    const index = source.value.fields.findIndex(
      (field) =>
        field.type === 'fieldset' && (field.fieldset === name || reach(field.fieldset ?? '', new Set()).has(name)),
    );
    const message = `The fieldset "${name}" contains itself, so it would never end.`;
    report.add(source, ['fields', index, 'fieldset'], {
      code: 'MODEL_FIELDSET_CYCLE',
      message,
      hint: 'Remove one of the fields that form the cycle.',
    });
  }
}
