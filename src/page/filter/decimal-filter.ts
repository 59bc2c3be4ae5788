import { toPlainDecimal, toShortDecimal } from '../../model/decimal/decimal.ts';
import { findDecimalError, readTypedDecimal, toTypedDecimal } from '../../model/field/field-kind-decimal.ts';
import type { Field } from '../../model/shape.ts';

/** Follows what is no decimal in an address, so that the search refuses it and no amount is guessed. */
const REFUSED = '?';

/** Operators whose value is a list. Elsewhere a semicolon is part of the text. */
const LISTS: ReadonlySet<string> = new Set(['in', 'nin', 'between']);

function readOne(field: Field, typed: string): string {
  const read = readTypedDecimal(field, typed);
  return typeof read === 'string' && toPlainDecimal(read) !== undefined ? toShortDecimal(read) : `${typed}${REFUSED}`;
}

/** The value of a condition as the address has it, of what was typed in the language of the page. */
export function readDecimals(field: Field, operator: string, typed: string): string {
  if (!LISTS.has(operator)) return readOne(field, typed);
  // A comma alone is the decimal sign or groups digits in many languages.
  const parts = typed.split(/;|,\s+/).map((part) => part.trim());
  return parts
    .filter((part) => part !== '')
    .map((part) => readOne(field, part))
    .join(',');
}

const isRefused = (part: string): boolean => part.endsWith(REFUSED);
const toTypedText = (part: string): string => part.slice(0, -REFUSED.length);

/** The value of a condition as the form shows it. */
export function showDecimals(field: Field, operator: string, value: string): string {
  if (value.includes(REFUSED)) return value.replaceAll(`${REFUSED},`, '; ').replace(/\?$/, '');
  const parts = LISTS.has(operator) ? value.split(',') : [value];
  return parts.map((part) => toTypedDecimal(field, part.trim())).join('; ');
}

/** What is wrong with the first typed text that is no decimal, in words after the label. */
export function findTypedError(field: Field, value: string): string | undefined {
  const refused = value.split(',').find(isRefused);
  return refused === undefined ? undefined : findDecimalError(readTypedDecimal(field, toTypedText(refused)), field);
}
