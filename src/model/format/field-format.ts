import { fieldKinds } from '../field/field-kind.ts';
import type { Field, Format } from '../shape.ts';

/** Formats that take a currency. */
const OF_MONEY: ReadonlySet<string> = new Set(['decimal', 'price']);

/** How a page shows a field: by the format of its definition, else by that of its type. An amount is in the currency of its field, unless the format names another. */
export function readFormat(
  field: Field,
  own: Format | undefined,
): { readonly format: string; readonly parameters: readonly (string | number)[] } {
  const format = own?.format ?? fieldKinds[field.type].defaultFormat;
  const { currency } = field;
  const isMoney = currency !== undefined && OF_MONEY.has(format);
  return { format, parameters: own?.parameters ?? (isMoney ? [currency] : []) };
}
