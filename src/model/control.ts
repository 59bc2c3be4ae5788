import { listCountries } from './countries.ts';
import { type Control, fieldKinds, holdsFiles } from './field-kind.ts';
import { toNumber } from './field-kind-row.ts';
import type { ColumnModel } from './model.ts';
import type { Field } from './shape.ts';
import { toValueSchema } from './value-schema.ts';

interface ControlOption {
  readonly key: string;
  readonly value: string;
}

/** The control that edits a column, with all that a page needs to draw it. */
export interface FieldControl {
  readonly element: Control['element'];
  /** `type` of an `input`. */
  readonly type: string | undefined;
  /** Name that the value is posted under; with `[]` at its end where several are. */
  readonly name: string;
  readonly label: string;
  readonly description: string | undefined;
  /** HTML attributes, `required` among them where a browser should insist on it. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Choices of a select, of radios and of checkboxes. */
  readonly options: readonly ControlOption[];
  /** Whether more than one value may be chosen, or a group of fields repeated. */
  readonly isMultiple: boolean;
  /** Value to post from a hidden control before a box, since a box that is not ticked posts nothing. */
  readonly unticked: string | undefined;
  /** Controls of the group, of a fieldset; their names are to be put after the group's: `lines[0][price]`. */
  readonly parts: readonly FieldControl[];
}

type Attributes = Record<string, string | number | boolean>;

/** Attributes of which the narrower counts, whoever says it: type, rule or definition. */
const NARROWER: Readonly<Record<string, (a: number, b: number) => number>> = {
  min: Math.max,
  max: Math.min,
  minlength: Math.max,
  maxlength: Math.min,
};

/** Lays attributes over others; bounds narrow and never widen. */
function narrow(over: Attributes, added: Attributes): Attributes {
  const result = { ...over };
  for (const [name, value] of Object.entries(added)) {
    const [before, now] = [toNumber(result[name]), toNumber(value)];
    const pick = NARROWER[name];
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

/** Bounds that a rule of the definition says. */
function readBounds({ validation = [] }: Field): Attributes {
  const bounds: Attributes = {};
  for (const { method, parameters } of validation) {
    const name = RULE_BOUNDS[method];
    const value = toNumber([parameters].flat()[0]);
    if (name !== undefined && typeof value === 'number') bounds[name] = value;
  }
  return bounds;
}

/** Attributes of a field's control: the type's own, those that its rules say, those of the definition. */
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
 * The control of a column: element, type, attributes, choices. What the attributes say the server holds values to as
 * well, so a form that leaves them out loses comfort, not safety.
 */
export function toControl(column: ColumnModel): FieldControl {
  const { field, name, label } = column;
  const kind = fieldKinds[field.type];
  const isMultiple = LISTS.has(field.type) || field.multiple === true;
  const isFlag = FLAGS.has(field.type);
  const attributes = toFieldAttributes(field);
  // A ticked box is not what "required" asks for; a group's own fields say what they need.
  const isInsisted = column.isRequired && !isFlag && kind.control.element !== 'checkboxes' && field.type !== 'fieldset';
  if (isInsisted) attributes.required = true;
  const { maxLength } = toValueSchema(column) as { maxLength?: number };
  if (kind.control.element === 'textarea' && maxLength !== undefined && kind.isText) attributes.maxlength ??= maxLength;
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

/** How a form with these columns has to be encoded: files need `multipart/form-data`. */
export function toFormEncoding(
  columns: readonly ColumnModel[],
): 'multipart/form-data' | 'application/x-www-form-urlencoded' {
  return columns.some(holdsFiles) ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
}
