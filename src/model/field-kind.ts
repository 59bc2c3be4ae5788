import { dateKinds } from './field-kind-date.ts';
import { jsonKinds } from './field-kind-json.ts';
import { numberKinds } from './field-kind-number.ts';
import type { FieldKind } from './field-kind-row.ts';
import { specialKinds } from './field-kind-special.ts';
import { textKinds } from './field-kind-text.ts';
import type { Field, FieldType } from './shape.ts';

export type { Control, FieldGroup, FieldKind, PrepareTools } from './field-kind-row.ts';

/** Every field type of a definition, one row each. */
export const fieldKinds: Readonly<Record<FieldType, FieldKind>> = Object.freeze({
  ...textKinds,
  ...numberKinds,
  ...dateKinds,
  ...jsonKinds,
  ...specialKinds,
});

/** Column type of a field; undefined where it has no column. A `number` or `range` whose `step` has decimals is real. */
export function columnType(field: Field, dialect: 'sqlite' | 'postgres'): string | undefined {
  const isDecimal = String(field.attributes?.step ?? '').includes('.') || field.attributes?.step === 'any';
  if (isDecimal && (field.type === 'number' || field.type === 'range')) {
    return fieldKinds.float.sql?.[dialect];
  }
  return fieldKinds[field.type].sql?.[dialect];
}
