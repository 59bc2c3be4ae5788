import { isOneOf } from '../../core/record.ts';
import { suggest, toDidYouMean } from '../../core/text/suggest.ts';
import type { Definitions } from '../definitions.ts';
import { toFieldAttributes } from '../field/control.ts';
import { fieldKinds } from '../field/field-kind.ts';
import { coerceNumber } from '../field/field-kind-row.ts';
import type { FieldRules } from '../field/field-rules.ts';
import { findUnmet, listAccepted, listTypeNames } from '../field/file-type.ts';
import { findPatternError } from '../field/text-pattern.ts';
import { isBlank, isShallow, isUnstorable, readFieldText } from '../json/json-value.ts';
import type { Source } from '../parse.ts';
import type { Field, FieldType, Format } from '../shape.ts';
import type { Report } from './report.ts';
import { findUnstorable, type Unstorable } from './unstorable.ts';

export interface FieldContext {
  readonly source: Source<{ readonly name?: string; readonly fields: readonly Field[] }>;
  readonly definitions: Definitions;
  readonly rules: FieldRules;
  readonly report: Report;
  /**
   * True for a fieldset: its fields share one JSON column, so they cannot be searched or be special fields.
   */
  readonly isFieldset: boolean;
}

const EXTENSIONS = /^(?:\.[a-z0-9]{1,16}){1,2}$/;
const MIME = /^[a-z]+\/(?:[a-z0-9.+-]+|\*)$/;

/** The error of an `accept` that a browser does not understand either. */
function findAcceptError(field: Field): string | undefined {
  const part = listAccepted(field).find((item) => !MIME.test(item) && !EXTENSIONS.test(item));
  if (part === undefined) return undefined;
  const { mimes, extensions } = listTypeNames();
  const isBare = extensions.includes(`.${part}`);
  const hint = isBare ? `Did you mean ".${part}"?` : toDidYouMean(part, [...mimes, ...extensions]);
  return `names "${part}", which is neither an extension such as ".pdf" nor a type such as "image/*". ${hint}`;
}

/** A part of `accept` that no file can meet. */
function findUnmetAccept(field: Field): Unstorable | undefined {
  const { mimes } = listTypeNames();
  for (const part of listAccepted(field)) {
    const unmet = findUnmet(field, part);
    if (unmet !== undefined)
      return { reason: `names "${part}", which ${unmet}`, hint: 'Remove it, or take the type "file".' };
    // A type that is not known may be one that the bytes show.
    const isOpen = part.startsWith('.') || part.endsWith('/*') || mimes.has(part);
    const near = isOpen ? undefined : suggest(part, mimes, 2);
    if (near !== undefined) return { reason: `names "${part}", which no file has`, hint: `Did you mean "${near}"?` };
  }
  return undefined;
}

type Path = readonly (string | number)[];

/** Types with times, not numbers, as `min` and `max`. */
const isTime = (type: FieldType): boolean => fieldKinds[type].group === 'date';
const COUNTS = ['minlength', 'maxlength', 'rows', 'data-max-bytes'] as const;

function findNumberError(field: Field, name: string): string | undefined {
  const value = field.attributes?.[name];
  if (value === undefined || (name === 'step' && value === 'any')) return undefined;
  if (isTime(field.type) && (name === 'min' || name === 'max')) {
    const kind = fieldKinds[field.type];
    const isRight = kind.shape({ name: field.name, type: field.type }).safeParse(kind.coerce(value, 0)).success;
    return isRight ? undefined : kind.expects({ name: field.name, type: field.type });
  }
  const number = coerceNumber(value);
  if (typeof number !== 'number') return 'must be a number';
  if (name === 'step' && number <= 0) return 'must be more than 0';
  if (name === 'step' && isTime(field.type) && !Number.isInteger(number)) return 'must be a whole number';
  return isOneOf(COUNTS, name) && !(Number.isInteger(number) && number >= 0)
    ? 'must be a whole number from 0'
    : undefined;
}

/** The error of an attribute that the server enforces; undefined if valid. */
function findAttributeError(field: Field, name: string): string | undefined {
  const { type, attributes = {} } = field;
  if (name === 'pattern' && fieldKinds[type].isText && !isTime(type)) {
    const error = findPatternError(`^(?:${String(attributes[name])})$`);
    return error && `is a pattern that ${error}`;
  }
  if (name === 'accept') return findAcceptError(field);
  const isEnforced = ['min', 'max', 'step', ...COUNTS].includes(name);
  return isEnforced ? findNumberError(field, name) : undefined;
}

export function checkAttributes({ source, report }: FieldContext, field: Field, path: Path): void {
  for (const name of Object.keys(field.attributes ?? {})) {
    const error = findAttributeError(field, name);
    const unmet = error === undefined && name === 'accept' ? findUnmetAccept(field) : undefined;
    const unstorable = error === undefined ? (unmet ?? findUnstorable(field, name)) : undefined;
    const reason = error ?? unstorable?.reason;
    if (reason === undefined) continue;
    const message = `The attribute "${name}" of the field "${field.name}" ${reason.replace(/\.$/, '')}.`;
    const hint = unstorable?.hint ?? 'Correct it: the server enforces it, as a browser does.';
    // A project that runs with such an attribute goes on running.
    const isFatal = unstorable === undefined || unstorable.isError === true;
    const how = isFatal ? {} : { severity: 'warning' as const };
    const isStep = !isFatal && unmet === undefined;
    const code = isStep ? 'MODEL_FIELD_UNSTORABLE' : 'MODEL_FIELD_ATTRIBUTE';
    report.add(source, [...path, 'attributes', name], { code, message, hint, ...how });
  }
  const { min, max } = toFieldAttributes(field);
  const [least, most] = [coerceNumber(min), coerceNumber(max)];
  if (typeof least !== 'number' || typeof most !== 'number' || least <= most) return;
  const message = `The field "${field.name}" allows no number: "min" is ${least}, "max" ${most}.`;
  report.add(source, [...path, 'attributes'], {
    code: 'MODEL_FIELD_ATTRIBUTE',
    message,
    hint: 'Swap the two, or correct one.',
  });
}

/** A default that its own field refuses would make every row without that value invalid. */
export function checkDefault({ source, report }: FieldContext, field: Field, path: Path): void {
  const kind = fieldKinds[field.type];
  if (isBlank(field.default) || field.type === 'fieldset') return;
  const isNow = typeof field.default === 'string' && /^\s*now\(\)\s*$/i.test(field.default);
  if (isNow && (kind.group === 'date' || kind.isText)) return;
  const value = kind.coerce(readFieldText(field.type, field.default), 0);
  const isStorable = isShallow(value) && !isUnstorable(value);
  const isIdle = kind.isSystem && field.type !== 'active';
  if (!isIdle && (isBlank(value) || (isStorable && kind.shape(field).safeParse(value).success))) return;
  const message = isIdle
    ? `The field "${field.name}" of type ${field.type} is set by Treadle, so it has no default.`
    : `The default of the field "${field.name}" ${kind.expects(field)}.`;
  report.add(source, [...path, 'default'], { code: 'MODEL_FIELD_DEFAULT', message, hint: 'Correct "default".' });
}

export function checkOptions({ source, report }: FieldContext, field: Field, path: Path): void {
  const seen = new Set<string>();
  for (const [index, { key }] of (field.options ?? []).entries()) {
    if (!seen.has(key)) {
      seen.add(key);
      continue;
    }
    const message = `Two options of the field "${field.name}" have the key "${key}".`;
    report.add(source, [...path, 'options', index, 'key'], {
      code: 'MODEL_FIELD_OPTIONS',
      message,
      hint: 'Remove one, or give it another key.',
    });
  }
}

export function checkFormat(context: FieldContext, format: Format | undefined, path: Path): void {
  const { source, report, rules } = context;
  if (format === undefined) return;
  if (!rules.formats.has(format.format)) {
    const message = `There is no format "${format.format}".`;
    const hint = toDidYouMean(format.format, rules.formats);
    report.add(source, [...path, 'format'], { code: 'MODEL_FORMAT_UNKNOWN', message, hint });
    return;
  }
  const error = rules.findFormatError?.(format);
  if (error === undefined) return;
  const at = format.parameters === undefined ? path : [...path, 'parameters'];
  const message = `The format ${error}.`;
  report.add(source, at, { code: 'MODEL_FORMAT_PARAMETERS', message, hint: 'Correct "parameters".' });
}
