import {
  parseAttribute,
  parseDefault,
  parseFormatParameters,
  parseOption,
  parseRuleParameter,
} from '../../../edit/field-text.ts';
import { toMadeLabel } from '../../../edit/made-field.ts';
import { validators } from '../../../model/field/validate.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import { FIELD_TYPES, type Field, type Format, type Validation } from '../../../model/shape.ts';
import { toLines, toText } from '../control.ts';
import { isTicked } from '../submit.ts';
import { printText } from './field-form.ts';

type FormValues = Readonly<Record<string, unknown>>;
type Draft = Record<string, unknown>;

/** Sets a key, or takes it away where there is no value. */
function put(draft: Draft, key: string, value: unknown): void {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) delete draft[key];
  else draft[key] = value;
}

/** As `put`, but a text that was not changed keeps the value that it was made of. */
function putText(
  draft: Draft,
  key: string,
  {
    posted,
    shown,
    parse,
  }: { readonly posted: string; readonly shown: string; readonly parse: (text: string) => unknown },
): void {
  if (posted.trim() !== shown.trim()) put(draft, key, posted.trim() === '' ? undefined : parse(posted));
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
    const isKept = was?.method === method && printText.parameter(was.parameters) === parameter;
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
  if (before?.format === format && printText.parameters(before) === text) return before;
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

/** A whole number; another text stays, so that its error names the control. */
const readCount = (text: string): number | string => (/^\d{1,3}$/.test(text.trim()) ? Number(text) : text.trim());

/** A field as its controls were posted. Keys that no control shows stay. */
export function readField(posted: FormValues, before: Field, isNew: boolean): Field {
  const draft: Draft = { ...before };
  const type = FIELD_TYPES.find((each) => each === posted.type) ?? before.type;
  draft.type = type;
  const label = toText(posted.label).trim();
  put(draft, 'label', label);
  if (isNew && toText(posted.name) !== '') {
    const name = toText(posted.name).trim();
    draft.name = name;
    // A label that was made from the name follows it.
    if (label === '' || label === toMadeLabel(before.name, before.type).label)
      put(draft, 'label', toMadeLabel(name, type).label);
  }
  put(draft, 'description', toText(posted.description).trim());
  for (const key of ['required', 'unique', 'searchable', 'filterable', 'sortable', 'private', 'multiple', 'stored']) {
    putFlag(draft, key, isTicked(posted[key]));
  }
  // A box that was ticked by itself says that it is public; without the key, `check` would ask again.
  if (before.private === true && draft.private === undefined) draft.private = false;
  put(draft, 'write', isTicked(posted.write) ? 'server' : undefined);
  put(draft, 'fieldset', toText(posted.fieldset));
  const texts = {
    was: { shown: printText.was(before.was), parse: readNames },
    expression: { shown: before.expression ?? '', parse: (text: string) => text.trim() },
    options: { shown: printText.options(before.options), parse: (text: string) => toLines(text).map(parseOption) },
    attributes: { shown: printText.attributes(before.attributes), parse: readAttributes },
    precision: { shown: printText.count(before.precision), parse: readCount },
    scale: { shown: printText.count(before.scale), parse: readCount },
    currency: { shown: before.currency ?? '', parse: (text: string) => text.trim().toUpperCase() },
    columns: { shown: printText.columns(before.columns), parse: toLines },
    default: { shown: printText.default(before.default), parse: (text: string) => parseDefault(type, text) },
  };
  for (const [key, { shown, parse }] of Object.entries(texts)) {
    putText(draft, key, { posted: toText(posted[key]), shown, parse });
  }
  put(draft, 'validation', readRules(posted.validation, before.validation ?? []));
  put(draft, 'list', readFormat(posted, 'list', before.list));
  put(draft, 'detail', readFormat(posted, 'detail', before.detail));
  return draft as Field;
}
