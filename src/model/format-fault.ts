import { formats } from './format.ts';
import { computeFormula } from './format-formula.ts';
import { isCurrency, isTimeZone } from './format-intl.ts';
import { fillTemplate } from './format-text.ts';
import type { Format } from './shape.ts';

/** Formats that need parameters. */
const NEEDED: ReadonlySet<string> = new Set(['formula', 'custom']);
const COUNTS: ReadonlySet<string> = new Set(['characters', 'words', 'width', 'height']);

/** The fault of a format's parameters, worded after `The format`; undefined if valid. */
export function findFormatFault({ format, parameters = [] }: Format): string | undefined {
  const kind = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (!kind) return `"${format}" is unknown`;
  const names = kind.parameters;
  if (NEEDED.has(format) && parameters.length === 0) return `"${format}" needs a ${names[0]} as parameters`;
  if (parameters.length > names.length) {
    const takes = names.length === 0 ? 'no parameters' : `${names.join(', ')} and no more parameters`;
    return `"${format}" takes ${takes}`;
  }
  for (const [index, value] of parameters.entries()) {
    const name = names[index] ?? '';
    if (name === 'currency' && !isCurrency(String(value)))
      return `"${format}" takes a currency of ISO 4217 such as EUR, not "${value}"`;
    if (name === 'time zone' && !isTimeZone(String(value)))
      return `"${format}" takes a time zone of the IANA database such as Europe/Berlin, not "${value}"`;
    if (COUNTS.has(name) && !(Number.isInteger(Number(value)) && Number(value) > 0)) {
      return `"${format}" takes a whole number from 1 as ${name}, not "${value}"`;
    }
  }
  if (format !== 'formula') return undefined;
  // Tests the formula with every value as 1, which checks its arithmetic only.
  const tried = fillTemplate(String(parameters[0]).replace(/\{\{\s*[\w.]+\s*\}\}/g, '1'), {});
  const isArithmetic = computeFormula(tried) !== undefined || /[/%]/.test(tried);
  return isArithmetic ? undefined : `"formula" has a parameter that is not arithmetic: ${String(parameters[0])}`;
}
