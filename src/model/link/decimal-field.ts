import { readDecimalShape } from '../field/field-kind-decimal.ts';
import { isCurrency } from '../format/format-intl.ts';
import type { Field, Format } from '../shape.ts';
import type { FieldContext } from './field-values.ts';

type Path = readonly (string | number)[];

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
