import type { ColumnModel } from '../model.ts';
import type { Field, FieldType } from '../shape.ts';
import { dateKinds } from './field-kind-date.ts';
import { decimalKinds, toDecimalType } from './field-kind-decimal.ts';
import { fileKinds } from './field-kind-file.ts';
import { jsonKinds } from './field-kind-json.ts';
import { numberKinds } from './field-kind-number.ts';
import { optionKinds } from './field-kind-option.ts';
import type { FieldKind } from './field-kind-row.ts';
import { specialKinds } from './field-kind-special.ts';
import { textKinds } from './field-kind-text.ts';

export type { Control, FieldGroup, FieldKind, FileTaker, HtmlCleaner, PrepareTools } from './field-kind-row.ts';
export { ValueRefused } from './field-kind-row.ts';

/** All field types by name. */
export const fieldKinds: Readonly<Record<FieldType, FieldKind>> = Object.freeze({
  ...textKinds,
  ...numberKinds,
  ...decimalKinds,
  ...dateKinds,
  ...optionKinds,
  ...fileKinds,
  ...jsonKinds,
  ...specialKinds,
});

/** True if a column holds files, itself or in the groups of a fieldset. */
export function holdsFiles({ field, parts = [] }: ColumnModel): boolean {
  return fieldKinds[field.type].group === 'file' || parts.some(holdsFiles);
}

/**
 * SQL type of a field's column; undefined if it has none. A `number` or `range` with a decimal `step` is
 * real.
 */
export function columnType(field: Field, dialect: 'sqlite' | 'postgres'): string | undefined {
  if (field.type === 'decimal') return toDecimalType(field)[dialect];
  const { step = 1 } = field.attributes ?? {};
  if (!Number.isInteger(Number(step)) && (field.type === 'number' || field.type === 'range')) {
    return fieldKinds.float.sql?.[dialect];
  }
  return fieldKinds[field.type].sql?.[dialect];
}
