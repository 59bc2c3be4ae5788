import {
  parseAttribute,
  parseDefault,
  parseFormatParameters,
  parseOption,
  parseRuleParameter,
} from '../../../edit/field-text.ts';
import { toMadeLabel } from '../../../edit/made-field.ts';
import { validators } from '../../../model/field/validate.ts';
import { getFieldForm } from '../../../model/form/field.ts';
import type { FormKey } from '../../../model/form/key.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import { FIELD_TYPES, type Field, type FieldType, type Format, type Validation } from '../../../model/shape.ts';
import { toLines, toText } from '../control.ts';
import { isShown } from '../shown.ts';
import { isTicked } from '../submit.ts';
import { printKey, printParameter, printParameters, toId } from './field-form.ts';

type FormValues = Readonly<Record<string, unknown>>;
type Draft = Record<string, unknown> & { type: FieldType };

/** Sets a key, or takes it away where there is no value. */
function put(draft: Draft, key: string, value: unknown): void {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) delete draft[key];
  else draft[key] = value;
}

/** A switch writes true, or no key; one that says false already stays. */
function putFlag(draft: Draft, key: string, isOn: boolean): void {
  if (isOn) draft[key] = true;
  else if (draft[key] !== false) delete draft[key];
}

function readRules(posted: unknown, before: readonly Validation[]): Validation[] {
  // Numbered rows arrive as a list.
  const rows = typeof posted === 'object' && posted !== null ? Object.entries(posted) : [];
  return rows.flatMap(([index, row]): Validation[] => {
    if (!isRecord(row)) return [];
    const method = toText(row.method);
    if (method === '') return [];
    const was = before[Number(index)];
    const parameter = toText(row.parameter);
    const isKept = was?.method === method && printParameter(was.parameters) === parameter;
    const kind = validators[method]?.parameters ?? 'text';
    const parameters = isKept ? was.parameters : parameter === '' ? undefined : parseRuleParameter(kind, parameter);
    const message = toText(row.message).trim();
    return [{ method, ...(parameters === undefined ? {} : { parameters }), ...(message === '' ? {} : { message }) }];
  });
}

function readFormat(posted: FormValues, key: 'list' | 'detail', before: Format | undefined): Format | undefined {
  const format = toText(posted[`${key}_format`]);
  if (format === '') return undefined;
  const text = toText(posted[`${key}_parameters`]);
  if (before?.format === format && printParameters(before) === text) return before;
  return { format, ...(text === '' ? {} : { parameters: parseFormatParameters(format, text) }) };
}

function readNames(text: string): string | string[] {
  const names = text.split(/[\s,]+/).filter((name) => name !== '');
  return names.length === 1 ? (names[0] as string) : names;
}

const readAttributes = (text: string): object =>
  Object.fromEntries(
    toLines(text).map((line) => {
      const at = line.indexOf('=');
      return at < 0 ? [line, true] : [line.slice(0, at).trim(), parseAttribute(line.slice(at + 1).trim())];
    }),
  );

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What the text of a control means. One that means nothing stays a text, so that its error names the control. */
export function parseValue({ kind, parse }: FormKey, text: string): unknown {
  const trimmed = text.trim();
  if (kind === 'list') return toLines(text);
  if (kind === 'map') return readAttributes(text);
  if (kind === 'number') return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : trimmed;
  if (kind === 'text' || kind === 'choice') return parse?.(trimmed) ?? trimmed;
  return parseJson(trimmed);
}

function parseKey(spec: FormKey, text: string, type: FieldType): unknown {
  if (spec.key === 'was') return readNames(text);
  if (spec.key === 'options') return toLines(text).map(parseOption);
  return spec.key === 'default' ? parseDefault(type, text) : parseValue(spec, text);
}

/** Keys whose controls are not one text. */
const OTHERS: ReadonlySet<string> = new Set(['type', 'label', 'validation', 'list', 'detail']);

/** Reads a key. A text that was not changed keeps the value that it was made of. */
function readKey(spec: FormKey, draft: Draft, posted: unknown, before: Field): void {
  const { key, kind } = spec;
  const text = toText(posted);
  if (kind === 'switch') putFlag(draft, key, isTicked(posted));
  else if (kind === 'literal') put(draft, key, isTicked(posted) ? spec.literal : undefined);
  else if (text.trim() === '') put(draft, key, undefined);
  else if (text.trim() !== printKey(spec, before).trim()) put(draft, key, parseKey(spec, text, draft.type));
}

/**
 * A field as its controls were posted. Keys that no control shows stay.
 *
 * @param form The form that has the controls.
 */
export function readField(posted: FormValues, before: Field, isNew: boolean, form: FormValues = {}): Field {
  const type = FIELD_TYPES.find((each) => each === posted.type) ?? before.type;
  const draft: Draft = { ...before, type };
  const label = toText(posted.label).trim();
  put(draft, 'label', label);
  if (isNew && toText(posted.name) !== '') {
    const name = toText(posted.name).trim();
    draft.name = name;
    // A label that was made from the name follows it.
    if (label === '' || label === toMadeLabel(before.name, before.type).label)
      put(draft, 'label', toMadeLabel(name, type).label);
  }
  for (const spec of getFieldForm().flatMap(({ keys }) => keys)) {
    const { key } = spec;
    if (!OTHERS.has(key) && isShown(form, toId(key), posted[key])) readKey(spec, draft, posted[key], before);
  }
  // A box that was ticked by itself says that it is public; without the key, `check` would ask again.
  if (before.private === true && draft.private === undefined) draft.private = false;
  put(draft, 'validation', readRules(posted.validation, before.validation ?? []));
  put(draft, 'list', readFormat(posted, 'list', before.list));
  put(draft, 'detail', readFormat(posted, 'detail', before.detail));
  return draft as Field;
}
