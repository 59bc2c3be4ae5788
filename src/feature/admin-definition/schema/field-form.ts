import { translate } from '../../../core/text/translate.ts';
import { validators } from '../../../model/field/validate.ts';
import { formats } from '../../../model/format/format.ts';
import type { Field, Format, Validation } from '../../../model/shape.ts';
import { type Control, toChoices } from '../control.ts';
import { describeType, listTypeGroups } from './field-words.ts';

/** Where the controls stand: what else the page knows. */
export interface FieldPlace {
  /** Names of the project's fieldsets. */
  readonly fieldsets: readonly string[];
  /** True for a field that the file does not have yet: its name can be typed. */
  readonly isNew: boolean;
  /** True for fields of a fieldset, which have no columns. */
  readonly isGroup: boolean;
  /** Message of a key, such as `type` or `validation[0].method`. */
  readonly findError: (key: string) => string | undefined;
  /** `open` for the first control, `rule` for the empty rule. */
  readonly hasFocus: string;
}

const PREFIX = 'f';
const toId = (key: string): string => `field-${key.replace(/\W+/g, '-')}`;
const toName = (key: string): string => `${PREFIX}[${key}]`;

/** Texts that the controls show, and that are compared with what is posted: an unchanged text keeps its value exactly. */
export const printText = {
  was: (was: Field['was']): string => [was ?? []].flat().join(', '),
  attributes: (map: Field['attributes']): string =>
    Object.entries(map ?? {})
      .map(([key, value]) => `${key}=${String(value)}`)
      .join('\n'),
  options: (options: Field['options']): string => (options ?? []).map(({ key, value }) => `${key}=${value}`).join('\n'),
  count: (count: number | undefined): string => (count === undefined ? '' : String(count)),
  columns: (columns: Field['columns']): string => (columns ?? []).join('\n'),
  default: (value: unknown): string =>
    value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value),
  parameter: (value: Validation['parameters']): string => [value ?? []].flat().join(','),
  parameters: (format: Format | undefined): string => (format?.parameters ?? []).join(','),
};

type Draft = Omit<Control, 'id' | 'name' | 'error'> & { readonly key: string };

function toControl({ key, ...draft }: Draft, { findError }: FieldPlace): Control {
  return { id: toId(key), name: toName(key), error: findError(key), ...draft };
}

const text = (key: string, label: string, value: string, hint?: string): Draft => ({
  key,
  label,
  kind: 'text',
  value,
  hint,
});
const area = (key: string, label: string, value: string, hint: string): Draft => ({
  key,
  label,
  kind: 'area',
  value,
  hint,
  isMono: true,
});
const flag = (key: string, label: string, isOn: boolean, hint: string): Draft => ({
  key,
  label,
  kind: 'switch',
  value: '1',
  isOn,
  hint,
});

/** Digits and currency of a decimal: beside the type of a field that is one, else where they can be set for another type. */
function listDecimalKeys({ precision, scale, currency }: Field): Draft[] {
  return [
    text(
      'precision',
      translate('Digits'),
      printText.count(precision),
      translate('For type decimal: 1 to 15, or 15 where it is empty.'),
    ),
    text(
      'scale',
      translate('Digits after the point'),
      printText.count(scale),
      translate('For type decimal: 2 where it is empty.'),
    ),
    text(
      'currency',
      translate('Currency'),
      currency ?? '',
      translate('For type decimal: a code of ISO 4217, such as EUR.'),
    ),
  ];
}

/** What a computed field is computed of: they stand where the keys of a decimal do. */
function listComputedKeys(field: Field): Draft[] {
  return [
    {
      ...text(
        'expression',
        translate('Expression'),
        field.expression ?? '',
        translate(
          'For type computed: of fields of the row, relation.count and relation.sum(field), such as price * quantity.',
        ),
      ),
      isMono: true,
    },
    flag(
      'stored',
      translate('Stored'),
      field.stored === true,
      translate('The table has a column of what is computed, so that it can be unique and in indexes.'),
    ),
  ];
}

function listBasics(field: Field, { isNew }: FieldPlace): Draft[] {
  const name: Draft = isNew
    ? {
        ...text(
          'name',
          translate('Name'),
          field.name,
          translate('Lower case letter first; letters, digits, "-" and "_".'),
        ),
        isRequired: true,
      }
    : { key: 'name', label: translate('Name'), kind: 'shown', value: field.name };
  return [
    name,
    text('label', translate('Label'), field.label ?? '', translate('Shown on forms and in the docs.')),
    {
      key: 'type',
      label: translate('Type'),
      kind: 'select',
      value: field.type,
      groups: listTypeGroups(field.type),
      hint: describeType(field.type),
    },
    ...(field.type === 'decimal' ? listDecimalKeys(field) : []),
    ...(field.type === 'computed' ? listComputedKeys(field) : []),
    text(
      'description',
      translate('Description'),
      field.description ?? '',
      translate('What the field holds, for forms and the docs.'),
    ),
  ];
}

function listFlags(field: Field, { isGroup }: FieldPlace): Draft[] {
  const required = flag(
    'required',
    translate('Required'),
    field.required === true,
    translate('A row must have a value. The database enforces it too.'),
  );
  if (isGroup) return [required];
  return [
    required,
    flag('unique', translate('Unique'), field.unique === true, translate('Every row must have a different value.')),
    flag('searchable', translate('Searchable'), field.searchable === true, translate('A search for words looks here.')),
    flag('filterable', translate('Filterable'), field.filterable === true, translate('Lists can be filtered by it.')),
    flag('sortable', translate('Sortable'), field.sortable === true, translate('Lists can be sorted by it.')),
    flag(
      'private',
      translate('Private'),
      field.private === true,
      translate('The owner of the row and roles that name the field see it.'),
    ),
    flag(
      'write',
      translate('Set by code only'),
      field.write === 'server',
      translate('A request may not bring the value.'),
    ),
  ];
}

function listInput(field: Field, { fieldsets }: FieldPlace): Draft[] {
  const none = translate('none');
  const names = [...new Set([...fieldsets, ...(field.fieldset === undefined ? [] : [field.fieldset])])];
  return [
    ...(field.type === 'decimal' ? [] : listDecimalKeys(field)),
    ...(field.type === 'computed' ? [] : listComputedKeys(field)),
    area(
      'options',
      translate('Choices'),
      printText.options(field.options),
      translate('One per line: stored value=label. For select, radios, multiselect and checkboxes.'),
    ),
    text(
      'default',
      translate('Default'),
      printText.default(field.default),
      translate('For a new row without a value. NOW() is the current time.'),
    ),
    area(
      'attributes',
      translate('Attributes of the input'),
      printText.attributes(field.attributes),
      translate('One per line: name=value, such as min=1 or placeholder=Your name.'),
    ),
    area('columns', translate('Columns of a table'), printText.columns(field.columns), translate('One name per line.')),
    {
      key: 'fieldset',
      label: translate('Field set'),
      kind: 'select',
      value: field.fieldset ?? '',
      groups: toChoices([['', none], ...names.map((name) => [name, name] as const)], field.fieldset ?? ''),
      hint: translate('For type fieldset.'),
    },
    flag(
      'multiple',
      translate('Several groups'),
      field.multiple === true,
      translate('A fieldset is a list of groups.'),
    ),
    text(
      'was',
      translate('Former names'),
      printText.was(field.was),
      translate('So that the migration renames the column and keeps the data.'),
    ),
  ];
}

/** One rule more than there are, so that another can be added without a script. */
function listRules({ validation = [] }: Field, { findError, hasFocus }: FieldPlace) {
  return [...validation, undefined].map((rule, index) => {
    const at = `validation[${index}]`;
    const base = `${PREFIX}[validation][${index}]`;
    return {
      at: index + 1,
      id: `rule-${index}`,
      base,
      groups: toChoices(
        [['', translate('no rule')], ...Object.keys(validators).map((name) => [name, name] as const)],
        rule?.method ?? '',
      ),
      hint: rule === undefined ? '' : translate(validators[rule.method]?.description ?? ''),
      parameter: printText.parameter(rule?.parameters),
      message: rule?.message ?? '',
      hasFocus: rule === undefined && hasFocus === 'rule',
      error: [at, `${at}.method`, `${at}.parameters`, `${at}.message`]
        .map(findError)
        .find((each) => each !== undefined),
    };
  });
}

function toFormatControls(key: 'list' | 'detail', label: string, format: Format | undefined): Draft[] {
  const chosen = format?.format ?? '';
  return [
    {
      key: `${key}_format`,
      label,
      kind: 'select',
      value: chosen,
      groups: toChoices(
        [['', translate('as it is')], ...Object.keys(formats).map((name) => [name, name] as const)],
        chosen,
      ),
      hint: chosen === '' ? '' : translate(formats[chosen]?.description ?? ''),
    },
    text(
      `${key}_parameters`,
      translate('Parameters'),
      printText.parameters(format),
      formats[chosen]?.parameters.join(', ') ?? '',
    ),
  ];
}

/** The controls of one field: every key of its shape. */
export function toFieldControls(field: Field, place: FieldPlace) {
  const make = (drafts: readonly Draft[]): Control[] => drafts.map((draft) => toControl(draft, place));
  return {
    basics: make(listBasics(field, place)).map((control, at) => ({
      ...control,
      hasFocus: at === 0 && place.hasFocus === 'open',
    })),
    flags: make(listFlags(field, place)),
    input: make(listInput(field, place)),
    rules: listRules(field, place),
    formats: make([
      ...toFormatControls('list', translate('In lists'), field.list),
      ...toFormatControls('detail', translate('On the page of a row'), field.detail),
    ]),
    errors: ['list', 'list.format', 'list.parameters', 'detail', 'detail.format', 'detail.parameters'].flatMap(
      (key) => place.findError(key) ?? [],
    ),
  };
}
