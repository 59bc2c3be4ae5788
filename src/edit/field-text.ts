import { fieldKinds } from '../model/field/field-kind.ts';
import { formats } from '../model/format/format.ts';
import { toLabelText } from '../model/names.ts';
import type { FieldType, Validation } from '../model/shape.ts';

/** A whole or decimal number as such, anything else as text. */
const toNumberOrText = (text: string): string | number => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

/** A choice of a select: `key=label`, or a key that is its own label. */
export function parseOption(text: string): { key: string; value: string } {
  const at = text.indexOf('=');
  return at < 0
    ? { key: text, value: toLabelText(text) || text }
    : { key: text.slice(0, at), value: text.slice(at + 1) };
}

/** The value of an attribute: a number or true and false as such, anything else as text, such as `any` of `step`. */
export function parseAttribute(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return toNumberOrText(text);
}

/** A default value as the field's type stores it; the text itself if the type does not accept it. */
export function parseDefault(type: FieldType, text: string): unknown {
  const kind = fieldKinds[type];
  if (/^now\(\)$/i.test(text) || (kind.isText && !kind.isJson)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Parameters of a format, separated by commas; the last one takes all that is left. */
export function parseFormatParameters(format: string, text: string): (string | number)[] {
  const parts = text.split(',');
  const count = Math.max(1, formats[format]?.parameters.length ?? 1);
  const parameters = parts.length <= count ? parts : [...parts.slice(0, count - 1), parts.slice(count - 1).join(',')];
  return parameters.map(toNumberOrText);
}

/**
 * The parameter of a rule as its method takes it.
 *
 * @param kind What the method takes: `none`, `number`, `list`, or a text of another kind.
 */
export function parseRuleParameter(kind: string, text: string): Validation['parameters'] {
  if (kind === 'none') return undefined;
  if (kind === 'list') return text.split(',').map((each) => each.trim());
  return kind === 'number' && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
