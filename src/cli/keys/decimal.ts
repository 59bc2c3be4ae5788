import { isCurrency } from '../../model/format/format-intl.ts';
import type { Field } from '../../model/shape.ts';
import { createUsageError } from '../failure.ts';

/** What a field of decimals says beside its type. */
type DecimalKeys = Pick<Field, 'precision' | 'scale' | 'currency'>;

const SAMPLE =
  'Such as price:decimal(12,2) or price:decimal(12,2,EUR): digits in all, digits after the point, currency.';

/** Why a text such as `12,2,EUR` says no digits and currency of a decimal; undefined if it does. */
export function findDecimalKeysError(text: string): string | undefined {
  const [, precision, scale, currency] = KEYS.exec(text) ?? [];
  if (precision === undefined && currency === undefined)
    return `"${text}" is not digits[,digits after the point][,currency].`;
  if (precision !== undefined && (Number(precision) < 1 || Number(precision) > 15))
    return `A decimal has 1 to 15 digits, not ${precision}.`;
  if (scale !== undefined && Number(scale) > Number(precision))
    return `A decimal of ${precision} digits cannot have ${scale} after the point.`;
  if (currency !== undefined && !isCurrency(currency)) return `ISO 4217 has no currency "${currency}".`;
  return undefined;
}

const KEYS = /^(?:(\d{1,3})(?:,(\d{1,3}))?(?:,(?=[A-Z]))?)?([A-Z]{3})?$/;

/** The keys of a text such as `12,2,EUR`. @throws CLI_USAGE */
export function parseDecimalKeys(text: string): DecimalKeys {
  const error = findDecimalKeysError(text);
  if (error !== undefined) throw createUsageError(error, SAMPLE);
  const [, precision, scale, currency] = KEYS.exec(text) ?? [];
  return {
    ...(precision === undefined ? {} : { precision: Number(precision) }),
    ...(scale === undefined ? {} : { scale: Number(scale) }),
    ...(currency === undefined ? {} : { currency }),
  };
}

/** A type as `name:type` has it: `decimal(12,2,EUR)`. Undefined if the short form cannot say the field's digits. */
export function toDecimalText({ type, precision, scale, currency }: Field): string | undefined {
  if (scale !== undefined && precision === undefined) return undefined;
  const keys = [precision, scale, currency].filter((key) => key !== undefined);
  return keys.length === 0 ? type : `${type}(${keys.join(',')})`;
}
