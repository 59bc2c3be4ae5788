import { toLocalText, translate } from '../core/text/translate.ts';
import { type FieldControl, toControl } from '../model/field/control.ts';
import { describeDecimalBounds } from '../model/field/field-kind-decimal.ts';
import { toMaskPattern } from '../model/field/field-mask.ts';
import { toUploadName } from '../model/field/file-type.ts';
import { toPlain } from '../model/format/format-text.ts';
import { isRecord } from '../model/json/json-value.ts';
import type { ColumnModel } from '../model/model.ts';
import { type ControlKind, toControlKind } from './control-kind.ts';
import { toFieldId } from './name.ts';
import { listOptions, type OptionView } from './option.ts';
import { type InputValue, listEntries } from './typed.ts';

interface Attribute {
  readonly key: string;
  readonly value: string;
}

/** An item of a list, a pair of a map, a row of a table, a group of a fieldset. */
interface ItemView {
  /** Name of its inputs. */
  readonly name: string;
  readonly id: string;
  /** Such as `Line 2`, for the labels of its inputs and buttons. */
  readonly label: string;
  readonly isFirst: boolean;
  readonly value: string;
  readonly key: string;
  readonly cells: readonly { readonly name: string; readonly label: string; readonly value: string }[];
  readonly fields: readonly FieldView[];
  readonly isImage: boolean;
}

/** A field of a form as `templates/form/field.html` renders it. */
export interface FieldView {
  readonly control: ControlKind;
  readonly id: string;
  /** Name of the posted value. */
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  /** True if several inputs share the label, in a `fieldset`. */
  readonly isGroup: boolean;
  readonly isRequired: boolean;
  /** True if its label says that it is required. */
  readonly isMarked: boolean;
  /** Ids of the hint and of the error. */
  readonly describedBy: string;
  readonly type: string;
  readonly value: string;
  readonly attributes: readonly Attribute[];
  readonly options: readonly OptionView[];
  readonly items: readonly ItemView[];
  readonly columns: readonly string[];
  /** True if an item is a text of many lines. */
  readonly isArea: boolean;
  readonly isImage: boolean;
  readonly isRich: boolean;
  readonly isTicked: boolean;
  readonly isSwitch: boolean;
  readonly isMarkdown: boolean;
  readonly isMono: boolean;
  /** True in a form of the project, which has no buttons that edit lists. */
  readonly isPlain: boolean;
  /** True if a file that was chosen is lost, because the page could not keep it. */
  readonly mustChooseAgain: boolean;
  readonly preview: string | undefined;
}

/** What a field shows. */
export interface FieldInput {
  /** What its inputs hold: of a stored value by `toTyped`, or what was posted. */
  readonly typed: InputValue;
  /** The stored value, which decides between several controls of a type. */
  readonly stored?: unknown;
  /** Message, or messages of the groups of a fieldset. */
  readonly error?: unknown;
  /** Name of the group that it is part of, such as `lines[0]`. */
  readonly within?: string | undefined;
  /** True for a row that exists: a password may then stay empty. */
  readonly isChange?: boolean;
  /** True if this column's file was sent, and the page shows the form again. */
  readonly mustChooseAgain?: boolean;
  /** Rendered Markdown, if the person asked for it. HTML that is safe to insert. */
  readonly preview?: string | undefined;
  /** False in a form where every field is required, and none says so. Default true. */
  readonly isMarked?: boolean;
  /** Empty items at the end of a list. Default: the page has buttons that add items. */
  readonly spare?: number | undefined;
  /** Hint that replaces the field's description. */
  readonly hint?: string | undefined;
}

const GROUPED: ReadonlySet<ControlKind> = new Set([
  'radios',
  'checkboxes',
  'files',
  'list',
  'pairs',
  'grid',
  'place',
  'numbers',
  'group',
  'groups',
]);

/** Attributes with a place of their own in the templates. */
const PLACED: ReadonlySet<string> = new Set(['value', 'type', 'name', 'id', 'class', 'style', 'multiple', 'role']);

const toAttributes = (attributes: FieldControl['attributes']): Attribute[] =>
  Object.entries(attributes)
    .filter(([key, set]) => /^[a-z-]+$/.test(key) && !key.startsWith('on') && !PLACED.has(key) && set !== false)
    .map(([key, set]) => ({ key, value: set === true ? '' : String(set) }));

const IMAGE = /\.(avif|gif|jpe?g|png|svg|webp)$/i;
const isPicture = ({ field }: ColumnModel, address: string): boolean =>
  field.type === 'image' ||
  field.type === 'imagelist' ||
  address.startsWith('data:image/') ||
  (toUploadName(address) !== undefined && IMAGE.test(address));

/** Keys of the items to show: those that there are, and where there are none, an empty one. */
function listItems(kind: ControlKind, { typed, spare = 0 }: FieldInput): [string, unknown][] {
  const entries = listEntries(typed);
  const both: [string, unknown][] = [...entries, ['0', ''], ['1', '']];
  if (kind === 'numbers')
    return both
      .filter(([key], index, all) => all.findIndex(([other]) => other === key) === index)
      .sort(([a], [b]) => Number(a) - Number(b));
  if (kind === 'files') return entries;
  const least = entries.length > 0 ? 0 : 1;
  // An empty group has many inputs.
  const count = spare === 0 ? least : kind === 'groups' ? 1 : spare;
  const next = Math.max(-1, ...entries.map(([key]) => Number(key))) + 1;
  const empty = Array.from({ length: count }, (_, index): [string, unknown] => [String(next + index), undefined]);
  return [...entries, ...empty];
}

const toItemLabel = (label: string, number: number): string => translate('{label} {number}', { label, number });

function toItem(
  column: ColumnModel,
  kind: ControlKind,
  name: string,
  input: FieldInput,
  [key, item]: [string, unknown],
  index: number,
): ItemView {
  const own = `${name}[${key}]`;
  const errors = isRecord(input.error) ? input.error[key] : undefined;
  const before: unknown = Array.isArray(input.stored) ? input.stored[Number(key)] : undefined;
  const pair = isRecord(item) ? item : {};
  return {
    name: own,
    id: toFieldId(own),
    label: toItemLabel(toLocalText(column.label), index + 1),
    isFirst: index === 0,
    value: kind === 'pairs' ? toPlain(pair.value) : toPlain(item),
    key: kind === 'pairs' ? toPlain(pair.key) : key,
    cells: kind === 'grid' ? toCells(column, own, item) : [],
    fields:
      kind === 'groups' ? toGroupParts(column, own, { ...input, typed: item, stored: before, error: errors }) : [],
    isImage: kind === 'files' && isPicture(column, toPlain(item)),
  };
}

function toCells({ field, label }: ColumnModel, name: string, row: unknown): ItemView['cells'] {
  const cells = listEntries(row).map(([, cell]) => toPlain(cell));
  const count = field.columns?.length ?? Math.max(2, cells.length);
  return Array.from({ length: count }, (_, index) => ({
    name: `${name}[${index}]`,
    label: field.columns?.[index] ?? toItemLabel(toLocalText(label), index + 1),
    value: cells[index] ?? '',
  }));
}

/** The fields of a fieldset's group. */
function toParts(
  { parts = [] }: ColumnModel,
  within: string,
  { typed, stored, error, isChange = false, spare }: FieldInput,
): FieldView[] {
  const at = (node: unknown, key: string): unknown =>
    isRecord(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  return parts.map((part) =>
    toFieldView(part, {
      typed: at(typed, part.name),
      stored: at(stored, part.name),
      error: at(error, part.name),
      within,
      isChange,
      ...(spare === undefined ? {} : { spare }),
    }),
  );
}

/** The fields of a group that may stay empty: then the browser must not insist on them. */
function toGroupParts(column: ColumnModel, within: string, input: FieldInput): FieldView[] {
  const parts = toParts(column, within, input);
  if (input.spare === undefined) return parts;
  const toFree = (view: FieldView): FieldView => ({
    ...view,
    attributes: view.attributes.filter(({ key }) => key !== 'required'),
  });
  return parts.map(toFree);
}

function toHint(column: ColumnModel, { hint, isChange = false }: FieldInput): string | undefined {
  const { description } = column.field;
  const own = hint ?? (description === undefined ? undefined : toLocalText(description));
  if (column.field.type === 'decimal' && hint === undefined)
    return [own, ...describeDecimalBounds(column.field)].filter(Boolean).join(' ') || undefined;
  if (column.field.type === 'password' && isChange)
    return [own, translate('Leave it empty to keep the password.')].filter(Boolean).join(' ');
  if (own !== undefined) return own;
  if (column.field.type === 'tag') return translate('Separate tags by commas.');
  if (column.field.type === 'latlng') return translate('In degrees, such as 48.8584 and 2.2945.');
  if (column.field.type === 'datetime') return translate('In UTC.');
  return undefined;
}

function addPattern(column: ColumnModel, control: FieldControl): FieldControl['attributes'] {
  const pattern = column.field.type === 'mask' ? toMaskPattern(column.field) : undefined;
  if (column.field.type === 'color')
    return { ...control.attributes, pattern: '#?[0-9A-Fa-f]{6}', placeholder: '#3366ff', maxlength: 7 };
  if (pattern === undefined) return control.attributes;
  return {
    title: String(column.field.attributes?.['data-mask']),
    ...control.attributes,
    pattern: pattern.source.slice(1, -1),
  };
}

const TYPES: Partial<Readonly<Record<ControlKind, string>>> = {
  range: 'number',
  color: 'text',
  files: 'file',
  file: 'file',
};
const RICH: ReadonlySet<string> = new Set(['wysiwyg', 'wysiwyglist']);
const MONO: ReadonlySet<string> = new Set(['code', 'rawjson']);

const toKind = (column: ColumnModel, { stored, within, typed }: FieldInput): ControlKind => {
  if (within !== undefined && column.field.type === 'uuid') return 'hidden';
  const kind = toControlKind(column, stored);
  // What was typed as JSON stays so, even if it is not valid.
  return kind !== 'line' &&
    kind !== 'area' &&
    column.field.type !== 'rawjson' &&
    kind !== 'json' &&
    isLongText(column, kind, typed)
    ? 'json'
    : kind;
};

/** True if a list was posted as JSON text. */
const isLongText = (_column: ColumnModel, kind: ControlKind, typed: InputValue): boolean =>
  ['list', 'pairs', 'grid', 'groups', 'group', 'checkboxes'].includes(kind) &&
  typeof typed === 'string' &&
  typed !== '';

/** A column as a form shows it. */
export function toFieldView(column: ColumnModel, input: FieldInput): FieldView {
  const control = toControl(column);
  const label = toLocalText(control.label);
  const name = input.within === undefined ? column.name : `${input.within}[${column.name}]`;
  const id = toFieldId(name);
  const kind = toKind(column, input);
  const { error } = input;
  const { type } = column.field;
  const hint = toHint(column, input);
  const isList =
    GROUPED.has(kind) && kind !== 'radios' && kind !== 'checkboxes' && kind !== 'place' && kind !== 'group';
  const items = isList
    ? listItems(kind, input).map((entry, index) => toItem(column, kind, name, input, entry, index))
    : [];
  const place = isRecord(input.typed) ? input.typed : {};
  const isRequired = column.isRequired && kind !== 'flag' && kind !== 'none';
  const parts = kind === 'group' ? toParts(column, name, input) : [];
  return {
    control: kind,
    id,
    name,
    label,
    hint,
    error: typeof error === 'string' && error !== '' ? error : undefined,
    isGroup: GROUPED.has(kind),
    isRequired,
    isMarked: isRequired && input.isMarked !== false,
    describedBy: [hint === undefined ? '' : `${id}-hint`, `${id}-error`].filter(Boolean).join(' '),
    type: TYPES[kind] ?? control.type ?? 'text',
    value: typeof input.typed === 'object' && kind !== 'json' ? '' : toPlain(input.typed),
    attributes: toAttributes(addPattern(column, control)),
    options: ['select', 'radios', 'checkboxes', 'stars'].includes(kind)
      ? listOptions(control, kind, input.typed, id)
      : [],
    items: kind === 'place' ? toPlace(name, place) : kind === 'group' ? [toGroupItem(name, id, label, parts)] : items,
    columns: kind === 'grid' ? (items[0]?.cells.map(({ label }) => label) ?? []) : [],
    isArea: type === 'textarealist' || type === 'wysiwyglist',
    isImage: (kind === 'file' && isPicture(column, toPlain(input.typed))) || type === 'image' || type === 'imagelist',
    isRich: RICH.has(type),
    isTicked: kind === 'flag' && toPlain(Array.isArray(input.typed) ? input.typed.at(-1) : input.typed) === '1',
    isSwitch: type === 'switch',
    isMarkdown: type === 'markdown',
    isMono: MONO.has(type) || kind === 'json',
    isPlain: input.spare !== undefined,
    mustChooseAgain: input.mustChooseAgain === true,
    preview: input.preview,
  };
}

const EMPTY = { cells: [], fields: [], isImage: false, isFirst: true };

const toGroupItem = (name: string, id: string, label: string, fields: readonly FieldView[]): ItemView => ({
  ...EMPTY,
  name,
  id,
  label,
  key: '',
  value: '',
  fields,
});

const toPlace = (name: string, place: Readonly<Record<string, unknown>>): ItemView[] =>
  (['lat', 'lng'] as const).map((key) => ({
    ...EMPTY,
    name: `${name}[${key}]`,
    id: toFieldId(`${name}[${key}]`),
    label: key === 'lat' ? translate('Latitude') : translate('Longitude'),
    key,
    value: toPlain(place[key]),
  }));
