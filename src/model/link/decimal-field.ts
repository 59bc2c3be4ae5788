import { findDigitsError, toPlainDecimal } from '../decimal/decimal.ts';
import { readDecimalShape } from '../field/field-kind-decimal.ts';
import { isCurrency } from '../format/format-intl.ts';
import type { Field, Format } from '../shape.ts';
import type { FieldContext } from './field-values.ts';
import type { Unstorable } from './unstorable.ts';

type Path = readonly (string | number)[];

const countDigits = (count: number): string => `${count} digit${count === 1 ? '' : 's'}`;

/** A bound or a step with more digits than its field's decimals: no value could be it. */
export function findExcessDigits(field: Field, name: string): Unstorable | undefined {
  const value = field.attributes?.[name];
  const plain = typeof value === 'string' || typeof value === 'number' ? toPlainDecimal(value) : undefined;
  if (plain === undefined) return undefined;
  const { precision, scale } = readDecimalShape(field);
  const excess = findDigitsError(plain, { precision, scale });
  if (excess === undefined) return undefined;
  return excess === 'scale'
    ? {
        reason: `is ${plain}, and the field has ${countDigits(scale)} after the point ("scale")`,
        hint: 'Raise "scale", or correct the attribute.',
        isError: true,
      }
    : {
        reason: `is ${plain}, and the field has ${countDigits(precision - scale)} before the point ("precision" less "scale")`,
        hint: 'Raise "precision", or correct the attribute.',
        isError: true,
      };
}

/** Formats that show nothing of a decimal, or not as a number. */
const FORMATS: ReadonlySet<string> = new Set([
  ...['date', 'relative', 'image', 'carousel', 'email', 'phone', 'html', 'markdown', 'strip', 'length', 'words'],
  ...['comma', 'space', 'nl', 'ul', 'ol', 'tag', 'meta', 'table', 'jsonpretty', 'capital', 'lower', 'upper'],
]);
/** Rules about texts and times. */
const RULES = /^(?:char_|word_|(?:date|time|datetime|pastdate|presentdate|futuredate|email|url|hex|cc|regexp)$)/;

function adviseFormat({ source, report }: FieldContext, field: Field, format: Format | undefined, path: Path): void {
  if (format === undefined || !FORMATS.has(format.format)) return;
  report.add(source, [...path, 'format'], {
    code: 'MODEL_FIELD_DECIMAL',
    message: `The format "${format.format}" makes no sense for the field "${field.name}", because its type is decimal.`,
    hint: 'Remove it: the format "decimal" is the type\'s own.',
    severity: 'advice',
  });
}

/** Checks what only a field of decimals has, and advises against rules and formats of other types. */
export function checkDecimal(context: FieldContext, field: Field, path: Path): void {
  if (field.type !== 'decimal') return;
  const { source, report } = context;
  const { precision, scale } = readDecimalShape(field);
  if (scale > precision) {
    report.add(source, [...path, 'scale'], {
      code: 'MODEL_FIELD_DECIMAL',
      message: `The field "${field.name}" has more digits after the point ("scale" ${scale}) than in all ("precision" ${precision}).`,
      hint: `Raise "precision" to at least ${scale}, or lower "scale".`,
    });
  }
  if (field.currency !== undefined && !isCurrency(field.currency)) {
    report.add(source, [...path, 'currency'], {
      code: 'MODEL_FIELD_DECIMAL',
      message: `The field "${field.name}" has the currency "${field.currency}", which ISO 4217 does not have.`,
      hint: 'Take a code such as EUR, or remove "currency".',
    });
  }
  for (const [index, { method }] of (field.validation ?? []).entries()) {
    if (!RULES.test(method)) continue;
    report.add(source, [...path, 'validation', index, 'method'], {
      code: 'MODEL_FIELD_DECIMAL',
      message: `The rule "${method}" makes no sense for the field "${field.name}", because its type is decimal.`,
      hint: 'Remove it: decimals have lt, lte, gt, gte, ne, one and the rules that compare columns.',
      severity: 'advice',
    });
  }
  adviseFormat(context, field, field.list, [...path, 'list']);
  adviseFormat(context, field, field.detail, [...path, 'detail']);
}
