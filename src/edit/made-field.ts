import { fieldRules } from '../model/field/field-rules.ts';
import { toColumn, toLabelText } from '../model/names.ts';
import type { Field, FieldType, Schema } from '../model/shape.ts';

/** Fields that every new schema gets: soft removal, and when it was made and changed. */
export const STAMPS: readonly Field[] = [
  { name: 'active', type: 'active' },
  { name: 'created', type: 'created', sortable: true },
  { name: 'updated', type: 'updated' },
];

export const STAMP_TYPES: ReadonlySet<string> = new Set(STAMPS.map(({ type }) => type));

/** Fields in full: those given, and the stamps that they lack. */
export const addStamps = (fields: readonly Field[]): Field[] => [
  ...fields,
  ...STAMPS.filter(({ name, type }) => !fields.some((field) => field.type === type || field.name === name)),
];

/** The label that a new field gets if none is given; a stamp has none. */
export const toMadeLabel = (name: string, type: FieldType): { label?: string } =>
  STAMP_TYPES.has(type) ? {} : { label: toLabelText(name) };

/** Whether a field that is added to a schema should be private: a profile's columns are part of every row that belongs to it. */
const isPersonal = (schema: string, { private: said, searchable, type }: Field): boolean =>
  schema === 'profile' && said === undefined && searchable !== true && fieldRules.flags(type).has('private');

/** A field as it is added to a schema: to profiles as private, unless it says otherwise or people are found by it. */
export const toAdded = (schema: string, field: Field): Field =>
  isPersonal(schema, field) ? { ...field, private: true } : field;

/** Inserts a field before another one, or before the stamps at the end, so that forms show it among the other fields. */
export function insertField(fields: readonly Field[], field: Field, before: string | undefined): Field[] {
  const chosen = fields.findIndex(({ name }) => name === before);
  const end = fields.findIndex((_, index) => fields.slice(index).every(({ type }) => STAMP_TYPES.has(type)));
  const last = end < 0 || STAMP_TYPES.has(field.type) ? fields.length : end;
  const at = chosen < 0 ? last : chosen;
  return [...fields.slice(0, at), field, ...fields.slice(at)];
}

/** Default label of a row: the first text field is most likely its name. */
export function toDisplay(name: string, fields: readonly Field[]): Pick<Schema, 'display'> {
  const first = fields.find(({ type }) => type === 'text');
  return first === undefined ? {} : { display: `{{${toColumn(name, first.name)}}}` };
}
