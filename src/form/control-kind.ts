import { fieldKinds } from '../model/field/field-kind.ts';
import { decodeJson, isRecord } from '../model/json/json-value.ts';
import type { ColumnModel } from '../model/model.ts';
import { isSystemSet } from '../model/server-set.ts';
import type { FieldType } from '../model/shape.ts';

/** A template in `templates/form/` that edits a value. */
export type ControlKind =
  | 'line'
  | 'area'
  | 'color'
  | 'decimal'
  | 'range'
  | 'stars'
  | 'flag'
  | 'select'
  | 'radios'
  | 'checkboxes'
  | 'file'
  | 'files'
  | 'list'
  | 'pairs'
  | 'grid'
  | 'place'
  | 'numbers'
  | 'json'
  | 'group'
  | 'groups'
  | 'hidden'
  | 'none';

const KINDS: Partial<Readonly<Record<FieldType, ControlKind>>> = {
  textarea: 'area',
  wysiwyg: 'area',
  markdown: 'area',
  code: 'area',
  color: 'color',
  decimal: 'decimal',
  range: 'range',
  stars: 'stars',
  checkbox: 'flag',
  switch: 'flag',
  select: 'select',
  countrylist: 'select',
  radios: 'radios',
  file: 'file',
  image: 'file',
  filelist: 'files',
  imagelist: 'files',
  textlist: 'list',
  textarealist: 'list',
  wysiwyglist: 'list',
  meta: 'pairs',
  latlng: 'place',
  rawjson: 'json',
  multirange: 'numbers',
};

/** Inputs for one list, table or map: a form has at most 1,000, so a larger value is edited as JSON. */
const MOST_INPUTS = 200;

const countInputs = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, item) => sum + countInputs(item), 0);
};

/** True if the rows of a table fit into a grid of cells under its columns. */
function isGrid({ field }: ColumnModel, value: unknown): boolean {
  if (!Array.isArray(value)) return true;
  const isCell = (cell: unknown): boolean => typeof cell !== 'object' || cell === null;
  return value.every((row) =>
    Array.isArray(row)
      ? row.every(isCell)
      : field.columns !== undefined && isRecord(row) && Object.values(row).every(isCell),
  );
}

/** The kind for a type whose control depends on the definition or the value. */
function findSpecial(column: ColumnModel, value: unknown): ControlKind | undefined {
  const { field, parts } = column;
  const hasOptions = (field.options ?? []).length > 0;
  if (parts) return field.multiple === true ? 'groups' : 'group';
  if (field.type === 'multiselect' || field.type === 'checkboxes') return hasOptions ? 'checkboxes' : 'list';
  if ((field.type === 'select' || field.type === 'radios') && !hasOptions) return 'line';
  if (field.type === 'table') return isGrid(column, value) ? 'grid' : 'json';
  // An input of one line would drop the line breaks.
  if (typeof value === 'string' && /[\r\n]/.test(value) && fieldKinds[field.type].group === 'string') return 'area';
  return undefined;
}

/** A value of a row for a form: lists and groups may come as JSON text, raw JSON never does, because a text is one of its values. */
export const readStored = ({ field: { type } }: ColumnModel, stored: unknown): unknown =>
  fieldKinds[type].isJson && type !== 'rawjson' ? decodeJson(stored) : stored;

/**
 * The control that edits a value of a column without loss.
 *
 * @param stored The stored value: a value that the usual control cannot give back is edited as JSON or as lines.
 */
export function toControlKind(column: ColumnModel, stored: unknown): ControlKind {
  const { type } = column.field;
  const kind = fieldKinds[type];
  if (isSystemSet(column)) return 'none';
  const value = readStored(column, stored);
  const found = findSpecial(column, value) ?? KINDS[type] ?? 'line';
  if (!kind.isJson || found === 'json' || kind.group === 'file') return found;
  return countInputs(value) > MOST_INPUTS ? 'json' : found;
}
