import { type ParseError, parse as parseJson, printParseErrorCode } from 'jsonc-parser';
import { isSentFile } from '../core/request/sent-file.ts';
import { translate } from '../core/text/translate.ts';
import { findRoundedNumber } from '../model/field/exact-number.ts';
import { fieldKinds } from '../model/field/field-kind.ts';
import { readTypedDecimal, toTypedDecimal } from '../model/field/field-kind-decimal.ts';
import { toPlain } from '../model/format/format-text.ts';
import { isBlank, isRecord, parseJsonText } from '../model/json/json-value.ts';
import type { ColumnModel } from '../model/model.ts';
import { type ControlKind, readStored, toControlKind } from './control-kind.ts';

/** What the inputs of a column show or sent: texts, and lists and maps of texts. */
export type InputValue = unknown;

/** The posted items of a list with their keys, in the order of the keys. Keys may have gaps. */
export function listEntries(posted: InputValue): [string, unknown][] {
  if (typeof posted !== 'object' || posted === null || isSentFile(posted)) return [];
  return Object.entries(posted).sort(([a], [b]) => Number(a) - Number(b));
}

const toTextItems = (value: unknown): string[] => (Array.isArray(value) ? value.map(toPlain) : []);

function toPairs(value: unknown): { key: string; value: string }[] {
  return isRecord(value) ? Object.entries(value).map(([key, item]) => ({ key, value: toPlain(item) })) : [];
}

const toCells = ({ field }: ColumnModel, row: unknown): string[] => {
  const cells = Array.isArray(row) ? row : (field.columns ?? []).map((name) => (isRecord(row) ? row[name] : undefined));
  return cells.map(toPlain);
};

/** Tags as one text with commas; as JSON where a tag has a comma itself. */
function toTags(value: unknown): string {
  const tags = toTextItems(value);
  return tags.some((tag) => tag.includes(',')) ? JSON.stringify(tags) : tags.join(', ');
}

const toGroup = (parts: readonly ColumnModel[], value: unknown): Record<string, InputValue> =>
  Object.fromEntries(parts.map((part) => [part.name, toTyped(part, isRecord(value) ? value[part.name] : undefined)]));

const READERS: Partial<Readonly<Record<ControlKind, (column: ColumnModel, value: unknown) => InputValue>>> = {
  decimal: ({ field }, value) => toTypedDecimal(field, value),
  flag: (_column, value) => (value === 1 || value === true || value === '1' ? '1' : '0'),
  checkboxes: (_column, value) => toTextItems(value),
  list: (_column, value) => toTextItems(value),
  files: (_column, value) => toTextItems(value),
  pairs: (_column, value) => toPairs(value),
  grid: (column, value) => (Array.isArray(value) ? value.map((row) => toCells(column, row)) : []),
  place: (_column, value) =>
    Array.isArray(value) ? { lat: toPlain(value[0]), lng: toPlain(value[1]) } : { lat: '', lng: '' },
  numbers: (_column, value) => (isBlank(value) ? [] : toPlain(value).split(/[;,]/)),
  json: (_column, value) => (value === null || value === undefined ? '' : JSON.stringify(value, null, 2)),
  group: ({ parts = [] }, value) => toGroup(parts, value),
  groups: ({ parts = [] }, value) => (Array.isArray(value) ? value.map((item) => toGroup(parts, item)) : []),
};

/** What the inputs of a column show for a stored value. */
export function toTyped(column: ColumnModel, stored: unknown): InputValue {
  const kind = fieldKinds[column.field.type];
  if (kind.isSecret) return '';
  const value = readStored(column, stored);
  if (column.field.type === 'tag') return toTags(value);
  const read = READERS[toControlKind(column, stored)];
  return read ? read(column, value) : toPlain(value);
}

/** Errors of JSON by the parser's names for them. */
const JSON_ERRORS: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'Line {line}, column {column}: a name in double quotes is missing here.',
  ValueExpected: 'Line {line}, column {column}: a value is missing here.',
  ColonExpected: 'Line {line}, column {column}: a colon is missing here.',
  CommaExpected: 'Line {line}, column {column}: a comma is missing here.',
  CloseBraceExpected: 'Line {line}, column {column}: a closing brace is missing here.',
  CloseBracketExpected: 'Line {line}, column {column}: a closing bracket is missing here.',
  EndOfFileExpected: 'Line {line}, column {column}: the JSON ends before this.',
  UnexpectedEndOfString: 'Line {line}, column {column}: this text has no closing quote.',
  InvalidCommentToken: 'Line {line}, column {column}: JSON has no comments.',
};

function describeLost(text: string): string | undefined {
  const rounded = findRoundedNumber(text);
  if (rounded === undefined) return undefined;
  return translate('The whole number {number} is beyond 2^53 and would lose digits: write it in quotes.', {
    number: rounded.number,
  });
}

/** The place of the first error in a JSON text, in words; undefined if the text is JSON or blank. */
export function findJsonError(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const errors: ParseError[] = [];
  parseJson(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (!first) return describeLost(text);
  const before = text.slice(0, first.offset).split('\n');
  const source = JSON_ERRORS[printParseErrorCode(first.error)] ?? 'Line {line}, column {column}: this is not JSON.';
  return translate(source, { line: before.length, column: (before.at(-1) ?? '').length + 1 });
}

const isEmptyCell = (cell: unknown): boolean => isBlank(cell) || (typeof cell === 'string' && cell.trim() === '');

/** A text as the stored value that it shows, such as 5 for "5"; else the text. */
const restoreType = (text: unknown, before: unknown): unknown =>
  before !== undefined && typeof before !== 'object' && toPlain(before) === text ? before : isBlank(text) ? null : text;

function readPairs(posted: InputValue, stored: unknown): unknown {
  const pairs = listEntries(posted).flatMap(([, pair]) => {
    const { key, value } = isRecord(pair) ? pair : {};
    if (isEmptyCell(key) && isEmptyCell(value)) return [];
    const name = String(key ?? '').trim();
    return [
      [name, restoreType(value, isRecord(stored) && Object.hasOwn(stored, name) ? stored[name] : undefined)] as const,
    ];
  });
  return pairs.length === 0 ? null : Object.fromEntries(pairs);
}

function readGrid({ field }: ColumnModel, posted: InputValue, stored: unknown): unknown {
  const rows = listEntries(posted).flatMap(([key, row]) => {
    const cells = listEntries(row).map(([, cell]) => cell);
    if (cells.every(isEmptyCell)) return [];
    const before: unknown = Array.isArray(stored) ? stored[Number(key)] : undefined;
    const old = Array.isArray(before)
      ? before
      : (field.columns ?? []).map((name) => (isRecord(before) ? before[name] : undefined));
    return [cells.map((cell, index) => restoreType(cell, old[index]))];
  });
  return rows.length === 0 ? null : rows;
}

/** A group of a fieldset by its parts; null if nothing was typed into it. */
function readGroup(parts: readonly ColumnModel[], posted: InputValue, stored: unknown): Record<string, unknown> | null {
  if (!isRecord(posted)) return null;
  const before = isRecord(stored) ? stored : {};
  const group: Record<string, unknown> = {};
  let isEmpty = true;
  for (const part of parts) {
    if (!Object.hasOwn(posted, part.name)) continue;
    const value = readTyped(part, posted[part.name], before[part.name]);
    group[part.name] = value;
    if (part.field.type !== 'uuid' && !isBlankOf(part, value)) isEmpty = false;
  }
  return isEmpty ? null : group;
}

/** True if a value is what an untouched empty control sends. */
const isBlankOf = ({ field }: ColumnModel, value: unknown): boolean =>
  isBlank(value) || (KIND_OF_FLAG.has(field.type) && (value === '0' || value === 0));
const KIND_OF_FLAG: ReadonlySet<string> = new Set(['checkbox', 'switch']);

function readGroups({ parts = [] }: ColumnModel, posted: InputValue, stored: unknown): unknown {
  const groups = listEntries(posted).flatMap(([key, group]) => {
    const read = readGroup(parts, group, Array.isArray(stored) ? stored[Number(key)] : undefined);
    return read === null ? [] : [[key, read] as const];
  });
  return groups.length === 0 ? null : Object.fromEntries(groups);
}

/** Line breaks as stored: forms send CR LF whatever they showed. */
function readLines(posted: InputValue, stored: unknown): unknown {
  if (typeof posted !== 'string') return posted;
  const plain = posted.replace(/\r\n?/g, '\n');
  return typeof stored === 'string' && stored.includes('\r\n') ? plain.replaceAll('\n', '\r\n') : plain;
}

function readList(posted: InputValue): unknown {
  const items = listEntries(posted)
    .map(([, item]) => readLines(item, undefined))
    .filter((item) => !isEmptyCell(item));
  return items.length === 0 ? null : items;
}

const POSTED: Partial<
  Readonly<Record<ControlKind, (column: ColumnModel, posted: InputValue, stored: unknown) => unknown>>
> = {
  decimal: ({ field }, posted) => (typeof posted === 'string' ? readTypedDecimal(field, posted) : posted),
  flag: (_column, posted) => (Array.isArray(posted) ? posted.at(-1) : posted),
  checkboxes: (_column, posted) => readList(posted),
  list: (_column, posted) => readList(posted),
  files: (_column, posted) => readList(posted),
  pairs: (_column, posted, stored) => readPairs(posted, stored),
  grid: readGrid,
  numbers: (_column, posted) => {
    const numbers = listEntries(posted).map(([, item]) => item);
    return numbers.every(isEmptyCell) ? null : numbers.filter((item) => !isEmptyCell(item)).join(';');
  },
  group: ({ parts = [] }, posted, stored) => readGroup(parts, posted, stored),
  groups: readGroups,
};

/**
 * The value of a column for a stage, from what its inputs sent.
 *
 * @param stored The stored value: numbers in maps and tables stay numbers, line breaks stay as they are.
 */
export function readTyped(column: ColumnModel, posted: InputValue, stored?: unknown): unknown {
  const kind = fieldKinds[column.field.type];
  const before = readStored(column, stored);
  // A long list is edited as JSON text.
  if (column.field.type === 'rawjson' || (kind.isJson && typeof posted === 'string' && column.field.type !== 'tag'))
    return isBlank(posted) ? null : parseJsonText(posted);
  const control = toControlKind(column, undefined);
  const read = POSTED[control];
  if (read) return read(column, posted, before);
  return kind.group === 'string' ? readLines(posted, before) : posted;
}
