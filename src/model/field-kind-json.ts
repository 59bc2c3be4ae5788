import * as z from 'zod';
import { isSafeKey } from '../core/registry.ts';
import { toOption, toOptionWords } from './field-kind-number.ts';
import { type FieldKind, JSON_TEXT, NO_FLAGS, TEXT, toKind, toText } from './field-kind-row.ts';
import { sanitizeHtml } from './field-kind-sanitize.ts';
import type { Field, FieldType } from './shape.ts';

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Text that begins as JSON does is read as JSON; what cannot be read stays text. */
function readJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** A list: JSON, or text split at commas (or lines), or the values of an object that a form's indexes made. */
const toList =
  (separator: RegExp) =>
  (value: unknown): unknown => {
    if (isBlank(value)) return null;
    const read = readJson(value);
    if (Array.isArray(read)) return read;
    if (typeof read === 'string') {
      return read
        .split(separator)
        .map((item) => item.trim())
        .filter((item) => item !== '');
    }
    if (typeof read === 'object' && read !== null && Object.keys(read).every((key) => /^\d+$/.test(key))) {
      return Object.values(read);
    }
    return typeof read === 'number' ? [String(read)] : read;
  };

const toValue = (value: unknown): unknown => (isBlank(value) ? null : readJson(value));
/** As JSON, without the names that reach a prototype or keep an object from being printed: JSON within text may have them. */
const encode = (value: unknown): string | null =>
  isBlank(value) ? null : JSON.stringify(value, (key, item: unknown) => (isSafeKey(key) ? item : undefined));

interface Row {
  readonly type: FieldType;
  readonly description: string;
  readonly coerce: (value: unknown) => unknown;
  readonly shape: (field: Field) => z.ZodType;
  readonly expects: (field: Field) => string;
  readonly control: FieldKind['control'];
  readonly format: string;
  readonly group?: FieldKind['group'];
  /** Changes the coerced value before it is encoded. */
  readonly finish?: (value: unknown) => unknown;
}

function toJsonKind({ format, coerce, finish, ...row }: Row): FieldKind {
  return toKind({
    group: 'json',
    ...row,
    coerce,
    sql: JSON_TEXT,
    isJson: true,
    defaultFormat: format,
    flags: { ...NO_FLAGS, filterable: true },
    prepare: (value) => {
      const read = coerce(value);
      return encode(finish && !isBlank(read) ? finish(read) : read);
    },
  });
}

const COMMA = /,/;
const LINES = /\r?\n/;
const texts = (): z.ZodType => z.array(z.string().max(100_000)).max(1000);
const list = (type: FieldType, description: string, options: Partial<Row> & { readonly separator?: RegExp }): Row => {
  const { separator = COMMA, ...rest } = options;
  return {
    type,
    description,
    coerce: toList(separator),
    shape: texts,
    expects: () => 'must be a list of texts',
    control: { element: 'textarea', attributes: { rows: 3, 'data-do': `${type}-field` } },
    format: 'comma',
    ...rest,
  };
};
const options = (type: 'multiselect' | 'checkboxes', element: 'select' | 'checkboxes', description: string): Row =>
  list(type, description, {
    group: 'option',
    shape: (field) => z.array(toOption(field)).max(1000),
    expects: (field) => `must be a list, each ${toOptionWords(field)}`,
    control: element === 'select' ? { element, attributes: { multiple: true } } : { element },
  });
const link = {
  group: 'file',
  sql: TEXT,
  coerce: toText,
  shape: () => z.string().max(2048),
  expects: () => 'must be the address of a file',
  isText: true,
  flags: { searchable: false, filterable: true, sortable: true },
} as const;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function toPosition(value: unknown): unknown {
  const parts = toList(COMMA)(value);
  if (!Array.isArray(parts)) return parts;
  return parts.map((part) => (typeof part === 'string' && part.trim() !== '' ? Number(part) : part));
}

type JsonType =
  | 'multiselect'
  | 'checkboxes'
  | 'file'
  | 'image'
  | 'filelist'
  | 'imagelist'
  | 'tag'
  | 'textlist'
  | 'textarealist'
  | 'wysiwyglist'
  | 'meta'
  | 'latlng'
  | 'rawjson'
  | 'fieldset'
  | 'table'
  | 'multirange';

export const jsonKinds: Readonly<Record<JsonType, FieldKind>> = {
  multiselect: toJsonKind(options('multiselect', 'select', 'Some of the options, by key.')),
  checkboxes: toJsonKind(options('checkboxes', 'checkboxes', 'Some of the options, each with a box.')),
  file: toKind({
    ...link,
    type: 'file',
    description: 'The address of a file.',
    control: { element: 'input', inputType: 'file' },
    defaultFormat: 'link',
  }),
  image: toKind({
    ...link,
    type: 'image',
    description: 'The address of a picture.',
    control: { element: 'input', inputType: 'file', attributes: { accept: 'image/*' } },
    defaultFormat: 'image',
  }),
  filelist: toJsonKind(list('filelist', 'Addresses of files.', { group: 'file', format: 'ul' })),
  imagelist: toJsonKind(list('imagelist', 'Addresses of pictures.', { group: 'file', format: 'carousel' })),
  tag: toJsonKind(list('tag', 'Tags.', { format: 'tag' })),
  textlist: toJsonKind(list('textlist', 'A list of lines.', { separator: LINES, format: 'ul' })),
  textarealist: toJsonKind(list('textarealist', 'A list of texts.', { separator: /\r?\n\s*\r?\n/, format: 'ul' })),
  wysiwyglist: toJsonKind(
    list('wysiwyglist', 'A list of formatted texts.', {
      separator: /\r?\n\s*\r?\n/,
      format: 'ul',
      finish: (value) => (value as unknown[]).map((item) => sanitizeHtml(String(item))),
    }),
  ),
  meta: toJsonKind({
    type: 'meta',
    description: 'Names with values.',
    coerce: toValue,
    shape: () => z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    expects: () => 'must be an object of names and values',
    control: { element: 'textarea', attributes: { 'data-do': 'meta-field' } },
    format: 'meta',
  }),
  latlng: toJsonKind({
    type: 'latlng',
    description: 'A place: latitude and longitude in degrees.',
    coerce: toPosition,
    shape: () => z.tuple([z.number().min(-90).max(90), z.number().min(-180).max(180)]),
    expects: () => 'must be a latitude and a longitude such as 48.8584, 2.2945',
    control: { element: 'input', inputType: 'text', attributes: { 'data-do': 'latlng-field' } },
    format: 'comma',
    finish: (value) => (value as number[]).map((degrees) => Number(degrees.toFixed(8))),
  }),
  rawjson: toJsonKind({
    type: 'rawjson',
    description: 'Any JSON.',
    coerce: toValue,
    shape: () => z.json(),
    expects: () => 'must be JSON',
    control: { element: 'textarea', attributes: { rows: 8, spellcheck: 'false', 'data-do': 'code-editor' } },
    format: 'jsonpretty',
  }),
  fieldset: toJsonKind({
    type: 'fieldset',
    description: 'A group of fields from a fieldset; a list of such groups with `multiple`.',
    coerce: toValue,
    shape: (field) =>
      field.multiple ? z.array(z.record(z.string(), z.unknown())).max(1000) : z.record(z.string(), z.unknown()),
    expects: (field) => (field.multiple ? 'must be a list of groups of fields' : 'must be a group of fields'),
    control: { element: 'textarea', attributes: { 'data-do': 'fieldset' } },
    format: 'jsonpretty',
  }),
  table: toJsonKind({
    type: 'table',
    description: 'Rows under the columns that the field names.',
    coerce: toValue,
    shape: (field) => z.array(tableRow(field)).max(1000),
    expects: (field) => `must be a list of rows${field.columns ? ` of ${field.columns.join(', ')}` : ''}`,
    control: { element: 'textarea', attributes: { 'data-do': 'table-field' } },
    format: 'table',
  }),
  multirange: toKind({
    ...link,
    group: 'number',
    type: 'multirange',
    description: 'Two or more numbers on one slider, such as 10;50.',
    coerce: (value) => (Array.isArray(value) ? value.join(';') : toText(value)),
    shape: () =>
      z
        .string()
        .max(255)
        .regex(/^-?\d+(\.\d+)?([;,]-?\d+(\.\d+)?)*$/),
    expects: () => 'must be numbers such as 10;50',
    control: { element: 'input', inputType: 'text', attributes: { 'data-do': 'multirange-field' } },
  }),
};

function tableRow({ columns }: Field): z.ZodType {
  const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
  const row = z.array(cell).max(columns?.length ?? 100);
  return z.union([
    row,
    z
      .record(z.string(), cell)
      .refine((value) => isRecord(value) && (!columns || Object.keys(value).every((key) => columns.includes(key)))),
  ]);
}
