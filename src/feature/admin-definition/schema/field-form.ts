import { translate } from '../../../core/text/translate.ts';
import { validators } from '../../../model/field/validate.ts';
import { getFieldForm } from '../../../model/form/field.ts';
import type { FormKey } from '../../../model/form/key.ts';
import { formats } from '../../../model/format/format.ts';
import type { Field, Format, Validation } from '../../../model/shape.ts';
import { type Control, toChoices, toControl } from '../control.ts';
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
/** Id of the control of a key. */
export const toId = (key: string): string => `field-${key.replace(/\W+/g, '-')}`;
const toName = (key: string): string => `${PREFIX}[${key}]`;

type Draft = Omit<Control, 'id' | 'name' | 'error'>;

function makeControl(key: string, draft: Draft, { findError }: FieldPlace): Control {
  return { id: toId(key), name: toName(key), error: findError(key), ...draft };
}

/** The text of a value that its control shows; of a yes or no `1` where it holds. */
export function printValue({ kind, otherwise = false }: FormKey, value: unknown): string {
  if (kind === 'switch') return (value ?? otherwise) === true ? '1' : '';
  if (value === undefined || typeof value === 'string') return value ?? '';
  if (kind === 'list' && Array.isArray(value)) return value.join('\n');
  if (kind !== 'map') return JSON.stringify(value);
  return Object.entries(value ?? {})
    .map(([name, part]) => `${name}=${String(part)}`)
    .join('\n');
}

/** The text of a field's key, which is compared with what is posted: an unchanged text keeps its value exactly. */
export function printKey(spec: FormKey, field: Field): string {
  if (spec.key === 'was') return [field.was ?? []].flat().join(', ');
  if (spec.key === 'options') return (field.options ?? []).map(({ key, value }) => `${key}=${value}`).join('\n');
  const values: Readonly<Record<string, unknown>> = field;
  return printValue(spec, values[spec.key]);
}

export const printParameter = (value: Validation['parameters']): string => [value ?? []].flat().join(',');
export const printParameters = (format: Format | undefined): string => (format?.parameters ?? []).join(',');

/** The choices of a key that is chosen by what the project has. */
function listChoices({ key }: FormKey, { type, fieldset = '' }: Field, { fieldsets }: FieldPlace) {
  if (key === 'type') return listTypeGroups(type);
  if (key !== 'fieldset') return undefined;
  const names = [...new Set([...fieldsets, ...(fieldset === '' ? [] : [fieldset])])];
  return toChoices([['', translate('none')], ...names.map((name) => [name, name] as const)], fieldset);
}

function toKeyControl(spec: FormKey, field: Field, place: FieldPlace): Control {
  const { key, label, help, description } = spec;
  const groups = listChoices(spec, field, place);
  return toControl(spec, {
    id: toId(key),
    name: toName(key),
    label: translate(label),
    hint: key === 'type' ? describeType(field.type) : translate(help ?? description).replaceAll('`', ''),
    value: printKey(spec, field),
    error: place.findError(key),
    ...(groups === undefined ? {} : { groups }),
  });
}

function toNameControl({ name }: Field, place: FieldPlace): Control {
  const label = translate('Name');
  const hasFocus = place.hasFocus === 'open';
  if (!place.isNew) return makeControl('name', { label, kind: 'shown', value: name, hasFocus }, place);
  const hint = translate('Lower case letter first; letters, digits, "-" and "_".');
  return makeControl('name', { label, hint, kind: 'text', value: name, isRequired: true, hasFocus }, place);
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
      parameter: printParameter(rule?.parameters),
      message: rule?.message ?? '',
      hasFocus: rule === undefined && hasFocus === 'rule',
      error: [at, `${at}.method`, `${at}.parameters`, `${at}.message`]
        .map(findError)
        .find((each) => each !== undefined),
    };
  });
}

function toFormatControls({ key, label }: FormKey, field: Field, place: FieldPlace): Control[] {
  const format = key === 'list' ? field.list : field.detail;
  const chosen = format?.format ?? '';
  const names = Object.keys(formats).map((name) => [name, name] as const);
  return [
    makeControl(
      `${key}_format`,
      {
        label: translate(label),
        kind: 'select',
        value: chosen,
        groups: toChoices([['', translate('as it is')], ...names], chosen),
        hint: chosen === '' ? '' : translate(formats[chosen]?.description ?? ''),
      },
      place,
    ),
    makeControl(
      `${key}_parameters`,
      {
        label: translate('Parameters'),
        kind: 'text',
        value: printParameters(format),
        hint: formats[chosen]?.parameters.join(', ') ?? '',
      },
      place,
    ),
  ];
}

/** The controls of one field: every key of its shape. Keys of a type stand beside it in a field of that type. */
export function toFieldControls(field: Field, place: FieldPlace) {
  const [basics, flags, , shown, input] = getFieldForm();
  const isOwn = ({ of }: FormKey): boolean => of === field.type;
  const make = (keys: readonly FormKey[] = []) => keys.map((spec) => toKeyControl(spec, field, place));
  const own = input?.keys.filter(isOwn) ?? [];
  return {
    basics: [
      toNameControl(field, place),
      ...make(basics?.keys.flatMap((spec) => (spec.key === 'type' ? [spec, ...own] : [spec]))),
    ],
    // The fields of a group have no columns.
    flags: make(flags?.keys.filter(({ key }) => !place.isGroup || key === 'required')),
    input: make(input?.keys.filter((spec) => !isOwn(spec))),
    rules: listRules(field, place),
    formats: shown?.keys.flatMap((spec) => toFormatControls(spec, field, place)) ?? [],
    errors: ['list', 'list.format', 'list.parameters', 'detail', 'detail.format', 'detail.parameters'].flatMap(
      (key) => place.findError(key) ?? [],
    ),
  };
}
