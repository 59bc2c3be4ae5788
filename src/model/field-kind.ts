import { dateKinds } from './field-kind-date.ts';
import { fileKinds } from './field-kind-file.ts';
import { jsonKinds } from './field-kind-json.ts';
import { numberKinds } from './field-kind-number.ts';
import { optionKinds } from './field-kind-option.ts';
import type { FieldKind } from './field-kind-row.ts';
import { specialKinds } from './field-kind-special.ts';
import { textKinds } from './field-kind-text.ts';
import type { ColumnModel } from './model.ts';
import type { Field, FieldType } from './shape.ts';

export type { Control, FieldGroup, FieldKind, FileTaker, HtmlCleaner, PrepareTools } from './field-kind-row.ts';
export { ValueRefused } from './field-kind-row.ts';

/** Every field type of a definition, one row each. */
export const fieldKinds: Readonly<Record<FieldType, FieldKind>> = Object.freeze({
  ...textKinds,
  ...numberKinds,
  ...dateKinds,
  ...optionKinds,
  ...fileKinds,
  ...jsonKinds,
  ...specialKinds,
});

/** Whether a column holds files: by itself, or in the groups of a fieldset. */
export function holdsFiles({ field, parts = [] }: ColumnModel): boolean {
  return fieldKinds[field.type].group === 'file' || parts.some(holdsFiles);
}

/** Column type of a field; undefined where it has no column. A `number` or `range` whose `step` has decimals is real. */
export function columnType(field: Field, dialect: 'sqlite' | 'postgres'): string | undefined {
  const { step = 1 } = field.attributes ?? {};
  if (!Number.isInteger(Number(step)) && (field.type === 'number' || field.type === 'range')) {
    return fieldKinds.float.sql?.[dialect];
  }
  return fieldKinds[field.type].sql?.[dialect];
}
