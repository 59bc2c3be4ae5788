import * as z from 'zod';
import { defer } from '../../core/memoize.ts';
import { toList as listItems, toRecord } from '../json/json-parts.ts';
import {
  encodeJson,
  isBlank,
  isJson,
  isRecord,
  MAX_DEPTH,
  MAX_KEYS,
  measureJson,
  readJson,
} from '../json/json-value.ts';
import type { Field, FieldType } from '../shape.ts';
import { ANY_NUMBER, createRangeSchema, describeRange, isInRange, LINE_CHARACTERS, readRange } from './field-bounds.ts';
import { createOptionSchema, toOption, toOptionWords } from './field-kind-option.ts';
import {
  coerceText,
  createKind,
  type FieldKind,
  JSON_TEXT,
  NO_FLAGS,
  type PrepareTools,
  TEXT,
} from './field-kind-row.ts';
import { cleanHtml, HTML_CHARACTERS } from './field-kind-text.ts';

/** Maximum items of a list, rows of a table, names of a `meta`. */
export const MAX_ITEMS = 1000;
const ITEM_CHARACTERS = 100_000;
/** Maximum characters of a stored `rawjson`. */
const RAW_CHARACTERS = 1_000_000;

/** Parses a list: JSON, text split by the separator, or the values of an object made by a form's indexes. */
export const toList =
  (separator: RegExp) =>
  (value: unknown): unknown => {
    if (isBlank(value)) return null;
    const read = readJson(value);
    const list = isRecord(read) && Object.keys(read).every((key) => /^\d+$/.test(key)) ? Object.values(read) : read;
    if (typeof list === 'number') return [String(list)];
    if (typeof list === 'string') return toItems(list.split(separator));
    return Array.isArray(list) ? toItems(list) : list;
  };

/** Items as trimmed text, without blank ones. Other values are returned for the shape to reject. */
const toItems = (list: readonly unknown[]): unknown[] =>
  list.map((item) => (typeof item === 'string' ? item.trim() : coerceText(item))).filter((item) => !isBlank(item));

/** JSON text with too many keys is not parsed, so that the shape rejects it. */
function toValue(value: unknown): unknown {
  if (isBlank(value)) return null;
  return typeof value === 'string' && measureJson(value).keys > MAX_KEYS ? value : readJson(value);
}

type Row = Pick<FieldKind, 'type' | 'description' | 'expects' | 'shape' | 'control' | 'defaultFormat'> &
  Partial<Pick<FieldKind, 'group' | 'jsonSchema'>> & {
    readonly coerce: (value: unknown) => unknown;
    /** True if values have keys: rows can be sorted by one of them, `sort=column.key`. A list has none. */
    readonly isKeyed?: boolean;
    /** Changes the coerced value before it is encoded. */
    readonly finish?: (value: unknown, field: Field | undefined, tools: PrepareTools) => unknown;
  };

export function createJsonKind({ coerce, finish, isKeyed = false, ...row }: Row): FieldKind {
  return createKind({
    group: 'json',
    ...row,
    coerce,
    sql: JSON_TEXT,
    isJson: true,
    flags: { ...NO_FLAGS, filterable: true, sortable: isKeyed },
    prepare: (value, tools, field) => {
      const read = coerce(value);
      const finished = finish && !isBlank(read) ? finish(read, field, tools) : read;
      // Uses a promise only if needed: each costs a turn of the event loop, noticeable in an import of a
      // million rows.
      return finished instanceof Promise ? finished.then(encodeJson) : encodeJson(finished);
    },
  });
}

const COMMA = /,/;
const LINES = /\r?\n/;
const PARAGRAPHS = /\r?\n\s*\r?\n/;
const texts = (most: number) => ({
  shape: () => z.array(z.string().max(most)).max(MAX_ITEMS),
  expects: () => `must be a list of at most ${MAX_ITEMS} texts of at most ${most} characters`,
});
const areaControl = (type: FieldType) =>
  ({ element: 'textarea', attributes: { rows: 3, 'data-do': `${type}-field` } }) as const;

function createTextListKind(
  type: 'tag' | 'textlist' | 'textarealist' | 'wysiwyglist',
  description: string,
  row: { readonly separator: RegExp; readonly most: number } & Partial<Row>,
): FieldKind {
  const { separator, most, ...rest } = row;
  const own = { control: areaControl(type), defaultFormat: 'ul' };
  return createJsonKind({ type, description, coerce: toList(separator), ...texts(most), ...own, ...rest });
}

function createChoicesKind(type: 'multiselect' | 'checkboxes', description: string): FieldKind {
  const control: FieldKind['control'] =
    type === 'multiselect' ? { element: 'select', attributes: { multiple: true } } : { element: 'checkboxes' };
  return createJsonKind({
    type,
    description,
    group: 'option',
    coerce: toList(COMMA),
    shape: (field) => z.array(toOption(field)).max(MAX_ITEMS),
    expects: (field) => `must be a list, each ${toOptionWords(field)}`,
    jsonSchema: (field) => ({
      type: 'array',
      items: createOptionSchema(field),
      uniqueItems: true,
      maxItems: MAX_ITEMS,
    }),
    control,
    defaultFormat: 'comma',
    finish: (value) => [...new Set(listItems(value))],
  });
}

const degree = (part: unknown): unknown =>
  typeof part === 'string' && /^\s*[+-]?\d{1,3}(\.\d+)?\s*$/.test(part) ? Number(part) : part;

/** Parses latitude and longitude: a list, text with a comma, or an object with `lat` and `lng`. */
function toPosition(value: unknown): unknown {
  if (isBlank(value)) return null;
  const read = readJson(value);
  if (isRecord(read)) {
    const both = [read.lat ?? read.latitude, read.lng ?? read.lon ?? read.longitude];
    // A form with two empty inputs.
    if (Object.keys(read).length > 0 && Object.values(read).every(isBlank)) return null;
    return '0' in read ? Object.values(read).map(degree) : both.map(degree);
  }
  const parts = typeof read === 'string' ? read.split(',') : read;
  return Array.isArray(parts) ? parts.map(degree) : parts;
}

const Cell = defer(() => z.union([z.string().max(ITEM_CHARACTERS), z.number(), z.boolean(), z.null()]));

function tableRow({ columns }: Field): z.ZodType {
  const row = z.array(Cell).max(columns?.length ?? 100);
  const named = z.record(z.string().max(LINE_CHARACTERS), Cell);
  return z.union([row, named.refine((value) => !columns || Object.keys(value).every((key) => columns.includes(key)))]);
}

/** Table rows as objects of column and value, in whichever form they were sent. */
function toTableRows(value: unknown, field: Field | undefined): unknown {
  const columns = field?.columns;
  if (!columns) return value;
  return listItems(value).map((row) =>
    Object.fromEntries(
      columns.map((column, index) => [column, (Array.isArray(row) ? row[index] : toRecord(row)[column]) ?? null]),
    ),
  );
}

function toTable(value: unknown): unknown {
  const read = toValue(value);
  return isRecord(read) && Object.keys(read).every((key) => /^\d+$/.test(key)) ? Object.values(read) : read;
}

const NUMBERS = /^-?\d+(\.\d+)?([;,]-?\d+(\.\d+)?)*$/;
const toNumbers = (text: string): number[] => text.split(/[;,]/).map(Number);

/** Numbers as text, separated by semicolons. */
function toMultirange(value: unknown): unknown {
  const read = readJson(value);
  const list = isRecord(read) && Object.keys(read).every((key) => /^\d+$/.test(key)) ? Object.values(read) : read;
  const text = Array.isArray(list) ? list.join(';') : coerceText(list);
  return typeof text === 'string' ? coerceText(text.replace(/\s/g, '').replaceAll(',', ';')) : text;
}

type JsonType =
  | 'multiselect'
  | 'checkboxes'
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
  multiselect: createChoicesKind('multiselect', 'Some of the options, by key.'),
  checkboxes: createChoicesKind('checkboxes', 'Some of the options, each with a box.'),
  tag: createTextListKind('tag', 'Tags: a list of short texts, or one text with commas.', {
    separator: COMMA,
    most: LINE_CHARACTERS,
    control: { element: 'input', inputType: 'text', attributes: { 'data-do': 'tag-field' } },
    defaultFormat: 'tag',
    finish: (value) => [...new Set(listItems(value))],
  }),
  textlist: createTextListKind('textlist', 'A list of lines of text.', { separator: LINES, most: LINE_CHARACTERS }),
  textarealist: createTextListKind('textarealist', 'A list of texts of many lines.', {
    separator: PARAGRAPHS,
    most: ITEM_CHARACTERS,
  }),
  wysiwyglist: createTextListKind('wysiwyglist', 'A list of formatted texts (HTML), cleaned as `wysiwyg` is.', {
    separator: PARAGRAPHS,
    most: ITEM_CHARACTERS,
    shape: () =>
      z
        .array(z.string())
        .max(MAX_ITEMS)
        .refine((list) => list.reduce((sum, item) => sum + item.length, 0) <= HTML_CHARACTERS),
    expects: () => `must be a list of texts of at most ${HTML_CHARACTERS} characters together`,
    jsonSchema: () => ({ type: 'array', items: { type: 'string' }, maxItems: MAX_ITEMS }),
    finish: async (value, _field, tools) => {
      const clean: string[] = [];
      const texts = listItems(value).map(String);
      const length = texts.reduce((sum, text) => sum + text.length, 0);
      for (const text of texts) clean.push(await cleanHtml(text, tools, length));
      return clean;
    },
  }),
  meta: createJsonKind({
    isKeyed: true,
    type: 'meta',
    description: 'Names with values.',
    coerce: toValue,
    shape: () =>
      z.record(z.string().max(LINE_CHARACTERS), Cell).refine((value) => Object.keys(value).length <= MAX_ITEMS),
    expects: () => `must be an object of at most ${MAX_ITEMS} names and their values`,
    control: areaControl('meta'),
    defaultFormat: 'meta',
  }),
  latlng: createJsonKind({
    type: 'latlng',
    description: 'A place: latitude and longitude in degrees, kept to 8 decimals.',
    coerce: toPosition,
    shape: () => z.tuple([z.number().min(-90).max(90), z.number().min(-180).max(180)]),
    expects: () => 'must be a latitude and a longitude such as 48.8584, 2.2945',
    jsonSchema: () => ({
      type: 'array',
      items: { type: 'number', format: 'double', minimum: -180, maximum: 180 },
      minItems: 2,
      maxItems: 2,
    }),
    control: { element: 'input', inputType: 'text', attributes: { 'data-do': 'latlng-field' } },
    defaultFormat: 'comma',
    finish: (value) => listItems(value).map((degrees) => Number(Number(degrees).toFixed(8))),
  }),
  rawjson: createJsonKind({
    isKeyed: true,
    type: 'rawjson',
    description: `Any JSON, nested ${MAX_DEPTH} deep at most.`,
    // A text is a text: what comes as text and means JSON is parsed where it comes in, by `readFieldText`.
    coerce: (value) => (isBlank(value) ? null : value),
    shape: () => z.unknown().refine(isRawJson),
    expects: () =>
      `must be JSON of at most ${RAW_CHARACTERS} characters, nested at most ${MAX_DEPTH} deep, with at most ${MAX_KEYS} keys`,
    jsonSchema: () => ({}),
    control: { element: 'textarea', attributes: { rows: 8, spellcheck: 'false', 'data-do': 'code-editor' } },
    defaultFormat: 'jsonpretty',
  }),
  // `fieldset-group.ts` checks and prepares its parts, since their rules are in another file.
  fieldset: createJsonKind({
    isKeyed: true,
    type: 'fieldset',
    description: 'A group of fields from a fieldset; a list of such groups with `multiple`.',
    coerce: toValue,
    shape: (field) => {
      const group = z.record(z.string(), z.unknown());
      return field.multiple ? z.array(group).max(MAX_ITEMS) : group;
    },
    expects: (field) =>
      field.multiple ? `must be a list of at most ${MAX_ITEMS} groups of fields` : 'must be a group of fields',
    control: { element: 'fieldset' },
    defaultFormat: 'meta',
  }),
  table: createJsonKind({
    type: 'table',
    description: 'Rows under the columns that the field names.',
    coerce: toTable,
    shape: (field) => z.array(tableRow(field)).max(MAX_ITEMS),
    expects: (field) =>
      `must be a list of at most ${MAX_ITEMS} rows${field.columns ? ` of ${field.columns.join(', ')}` : ''}`,
    control: areaControl('table'),
    defaultFormat: 'table',
    finish: toTableRows,
  }),
  multirange: createKind({
    type: 'multirange',
    description: 'Two or more numbers on one slider, such as 10;50.',
    group: 'number',
    sql: TEXT,
    isText: true,
    flags: { searchable: false, filterable: true, sortable: true },
    coerce: toMultirange,
    shape: (field) => {
      const range = readRange(field, ANY_NUMBER);
      return z
        .string()
        .max(LINE_CHARACTERS)
        .refine((text) => NUMBERS.test(text) && toNumbers(text).every((number) => isInRange(number, range)));
    },
    expects: (field) => `must be numbers such as 10;50, each ${describeRange(readRange(field, ANY_NUMBER))}`,
    jsonSchema: (field) => ({
      type: 'string',
      pattern: NUMBERS.source,
      maxLength: LINE_CHARACTERS,
      description: `Each ${String(createRangeSchema(readRange(field, ANY_NUMBER)).type)} after a semicolon`,
    }),
    control: { element: 'input', inputType: 'text', attributes: { 'data-do': 'multirange-field' } },
  }),
};

/** True for JSON that can be stored. */
function isRawJson(value: unknown): boolean {
  if (!isJson(value)) return false;
  const text = JSON.stringify(value) ?? '';
  return text.length <= RAW_CHARACTERS && measureJson(text).keys <= MAX_KEYS;
}
