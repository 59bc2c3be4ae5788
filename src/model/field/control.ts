import { findOwn } from '../../core/record.ts';
import { toValueSchema } from '../json/value-schema.ts';
import type { ColumnModel } from '../model.ts';
import type { Field } from '../shape.ts';
import { listCountries } from './countries.ts';
import { type Control, fieldKinds, holdsFiles } from './field-kind.ts';
import { coerceNumber } from './field-kind-row.ts';

interface ControlOption {
  readonly key: string;
  readonly value: string;
}

/** The form control of a column, with everything that a page needs to render it. */
export interface FieldControl {
  readonly element: Control['element'];
  /** `type` of an `input`. */
  readonly type: string | undefined;
  /** Name of the posted value; ends in `[]` if there may be several. */
  readonly name: string;
  readonly label: string;
  readonly description: string | undefined;
  /** HTML attributes, including `required` if the browser should enforce it. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Choices of a select, of radio buttons and of checkboxes. */
  readonly options: readonly ControlOption[];
  /** True if several values may be chosen, or a group of fields repeated. */
  readonly isMultiple: boolean;
  /** Value of a hidden input before a checkbox, since an unticked checkbox posts nothing. */
  readonly unticked: string | undefined;
  /** Controls of a fieldset's group. Their names follow the group's: `lines[0][price]`. */
  readonly parts: readonly FieldControl[];
}

type Attributes = Record<string, string | number | boolean>;

/** Attributes with a stricter value: the strictest of type, rule and definition counts. */
const NARROWER: Readonly<Record<string, (a: number, b: number) => number>> = {
  min: Math.max,
  max: Math.min,
  minlength: Math.max,
  maxlength: Math.min,
};

/** Merges attributes; bounds become stricter, never looser. */
function narrow(over: Attributes, added: Attributes): Attributes {
  const result = { ...over };
  for (const [name, value] of Object.entries(added)) {
    const [before, now] = [coerceNumber(result[name]), coerceNumber(value)];
    const pick = findOwn(NARROWER, name);
    result[name] = pick && typeof before === 'number' && typeof now === 'number' ? pick(before, now) : value;
  }
  return result;
}

const RULE_BOUNDS: Readonly<Record<string, string>> = {
  gte: 'min',
  lte: 'max',
  char_gte: 'minlength',
  char_lte: 'maxlength',
};

/** Bounds set by the definition's rules. */
function readBounds({ validation = [] }: Field): Attributes {
  const bounds: Attributes = {};
  for (const { method, parameters } of validation) {
    const name = findOwn(RULE_BOUNDS, method);
    const value = coerceNumber([parameters].flat()[0]);
    if (name !== undefined && typeof value === 'number') bounds[name] = value;
  }
  return bounds;
}

/** Attributes that only an input of numbers has. A decimal's is one of text: the hint and the server's error say them. */
const OF_NUMBERS = ['min', 'max', 'step'] as const;

/** Attributes of a field's control: the type's, those from rules, then the definition's. */
export function toFieldAttributes(field: Field): Attributes {
  const { control, group } = fieldKinds[field.type];
  const isBound = group === 'number' || group === 'string';
  return narrow(narrow({ ...control.attributes }, isBound ? readBounds(field) : {}), field.attributes ?? {});
}

const FLAGS: ReadonlySet<string> = new Set(['checkbox', 'switch']);
const LISTS: ReadonlySet<string> = new Set(['multiselect', 'checkboxes', 'filelist', 'imagelist']);

function listOptions(field: Field): readonly ControlOption[] {
  if (field.options && field.options.length > 0) return field.options;
  return field.type === 'countrylist' ? listCountries() : [];
}

/**
 * The control of a column: element, type, attributes, choices. The server enforces the attributes too, so a
 * form without them is less convenient, not less safe.
 */
export function toControl(column: ColumnModel): FieldControl {
  const { field, name, label } = column;
  const kind = fieldKinds[field.type];
  const isMultiple = LISTS.has(field.type) || field.multiple === true;
  const isFlag = FLAGS.has(field.type);
  const attributes = toFieldAttributes(field);
  // `required` on a checkbox would demand a tick; a group's fields have their own `required`.
  const isInsisted = column.isRequired && !isFlag && kind.control.element !== 'checkboxes' && field.type !== 'fieldset';
  if (field.type === 'decimal') for (const name of OF_NUMBERS) delete attributes[name];
  if (isInsisted) attributes.required = true;
  const { maxLength } = toValueSchema(column);
  if (kind.control.element === 'textarea' && typeof maxLength === 'number' && kind.isText)
    attributes.maxlength ??= maxLength;
  if (kind.isSecret) delete attributes.required;
  return {
    element: kind.control.element,
    type: kind.control.inputType,
    name: LISTS.has(field.type) ? `${name}[]` : name,
    label,
    description: field.description,
    attributes,
    options: listOptions(field),
    isMultiple,
    unticked: isFlag ? '0' : undefined,
    parts: (column.parts ?? []).map(toControl),
  };
}

/** The encoding of a form with these columns: files need `multipart/form-data`. */
export function toFormEncoding(
  columns: readonly ColumnModel[],
): 'multipart/form-data' | 'application/x-www-form-urlencoded' {
  return columns.some(holdsFiles) ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
}
