import { fieldKinds } from '../field/field-kind.ts';
import { toTypedDecimal } from '../field/field-kind-decimal.ts';
import { isRecord } from '../json/json-value.ts';
import type { ColumnModel } from '../model.ts';
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

const hasDecimals = (columns: readonly ColumnModel[]): boolean =>
  columns.some(({ field, parts = [] }) => field.type === 'decimal' || hasDecimals(parts));

/** The groups of a fieldset as a page shows them: `1.500` would be fifteen hundred on a German page. Other values stay. */
export function toShownGroups(column: ColumnModel, value: unknown): unknown {
  const { parts } = column;
  if (parts === undefined || !hasDecimals(parts)) return value;
  if (Array.isArray(value)) return value.map((group) => toShownGroups(column, group));
  if (!isRecord(value)) return value;
  const shown = parts
    .filter(({ name }) => Object.hasOwn(value, name))
    .map((part): [string, unknown] => {
      const own = value[part.name];
      return [part.name, part.field.type === 'decimal' ? toTypedDecimal(part.field, own) : toShownGroups(part, own)];
    });
  return { ...value, ...Object.fromEntries(shown) };
}
