import { fieldKinds } from '../../model/field/field-kind.ts';
import type { Field, FieldType } from '../../model/shape.ts';
import { toKey, toUnion } from './print.ts';

/** Type names of fieldsets, by fieldset. */
export type FieldsetNames = ReadonlyMap<string, string>;

type ToType = (field: Field, fieldsets: FieldsetNames) => string;

const text: ToType = () => 'string';
const number: ToType = () => 'number';
const flag: ToType = () => '0 | 1';
const texts: ToType = () => 'string[]';
const CELL = 'string | number | boolean | null';

/** Keys of a field's options as literals; `string` if it lists none. */
export const toChoice = ({ options }: Field): string =>
  options === undefined || options.length === 0 ? 'string' : toUnion(options.map(({ key }) => key));

const choices: ToType = (field) => {
  const choice = toChoice(field);
  return choice.includes('|') ? `(${choice})[]` : `${choice}[]`;
};

const fieldset: ToType = (field, fieldsets) => {
  const name = fieldsets.get(field.fieldset ?? '') ?? 'Record<string, Json>';
  return field.multiple ? `${name}[]` : name;
};

/** A table's rows are stored under its columns, in whichever form they were sent. */
const table: ToType = ({ columns }) =>
  columns
    ? `{ ${columns.map((name) => `${toKey(name)}: ${CELL}`).join('; ')} }[]`
    : `((${CELL})[] | Record<string, ${CELL}>)[]`;

const tableInput: ToType = (field, fieldsets) => {
  const { columns } = field;
  if (columns === undefined) return table(field, fieldsets);
  return `((${CELL})[] | { ${columns.map((name) => `${toKey(name)}?: ${CELL}`).join('; ')} })[]`;
};

/** Types of values in an answer, by field type; the others follow from the type's group. */
const TYPES: Readonly<Partial<Record<FieldType, ToType>>> = {
  none: () => 'never',
  checkbox: flag,
  switch: flag,
  active: flag,
  select: toChoice,
  countrylist: toChoice,
  radios: toChoice,
  multiselect: choices,
  checkboxes: choices,
  filelist: texts,
  imagelist: texts,
  tag: texts,
  textlist: texts,
  textarealist: texts,
  wysiwyglist: texts,
  meta: () => `Record<string, ${CELL}>`,
  decimal: text,
  latlng: () => '[number, number]',
  rawjson: () => 'Json',
  fieldset,
  table,
  multirange: text,
};

/** TypeScript of a field's value, without null. */
export const toValueType: ToType = (field, fieldsets) =>
  (TYPES[field.type] ?? (fieldKinds[field.type].group === 'number' ? number : text))(field, fieldsets);

/** TypeScript of a field's input, without null: booleans for yes and no, and lists for rows of a table, are allowed. */
export const toInputType: ToType = (field, fieldsets) => {
  if (field.type === 'table') return tableInput(field, fieldsets);
  if (field.type === 'decimal') return 'string | number';
  return TYPES[field.type] === flag ? '0 | 1 | boolean' : toValueType(field, fieldsets);
};
