import { translate } from '../../../core/text/translate.ts';
import { fieldKinds } from '../../../model/field/field-kind.ts';
import { readFormat } from '../../../model/format/field-format.ts';
import { formats, toFormatted, toRelative } from '../../../model/format/format.ts';
import { cutCharacters, escapeHtml, stripTags, toItems, toPlain } from '../../../model/format/format-text.ts';
import type { ColumnModel } from '../../../model/model.ts';
import type { Field, Format } from '../../../model/shape.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Makes the HTML of a cell: escaped text, or what a format rendered. */
export type CellRenderer = (value: unknown, row: Row, now: number) => string;

/** Characters of a text in a list; the detail page has all of it. */
const MOST_CHARACTERS = 80;
const THUMBNAIL: readonly (string | number)[] = [40, 40];

/** Formats that take more room than a line: a list shows their text. */
const TALL: ReadonlySet<string> = new Set([
  'html',
  'markdown',
  'ul',
  'ol',
  'nl',
  'meta',
  'table',
  'jsonpretty',
  'carousel',
]);
const FLAGS: ReadonlySet<string> = new Set(['checkbox', 'switch', 'active']);

/** A text in a cell. The pieces around the cut are searched for tags only if there may be some. */
const toShort = (text: string): string =>
  escapeHtml(
    cutCharacters(text.includes('<') ? stripTags(text.slice(0, MOST_CHARACTERS * 40)) : text, MOST_CHARACTERS),
  );

const toListText = (value: unknown): string =>
  toItems(value)
    .map((item) => toPlain(item))
    .join(', ');

function toTime(value: unknown, now: number): string {
  const text = escapeHtml(toPlain(value));
  if (text === '') return '';
  return `<time datetime="${text.replace(' ', 'T')}Z" title="${text}">${escapeHtml(toRelative(value, now))}</time>`;
}

/** The renderer of a format that the definition names. */
function toFormatRenderer(format: string, parameters: readonly (string | number)[]): CellRenderer {
  const isHtml = formats[format]?.isHtml === true;
  return (value, row, now) => {
    const text = toFormatted(format, value, parameters, { row, now });
    return isHtml ? text : escapeHtml(text);
  };
}

function toOwnRenderer(field: Field, own: Format | undefined): CellRenderer {
  const { format, parameters } = readFormat(field, own);
  return toFormatRenderer(format, parameters);
}

/** The renderer of a type without a format of its own. */
function toTypeRenderer({ field }: ColumnModel): CellRenderer {
  const { defaultFormat, isJson } = fieldKinds[field.type];
  if (FLAGS.has(field.type)) {
    return (value) =>
      value === null || value === undefined ? '' : escapeHtml(translate(Number(value) === 1 ? 'Yes' : 'No'));
  }
  const labels = new Map((field.options ?? []).map(({ key, value }) => [key, value] as const));
  if (labels.size > 0) {
    return (value) =>
      toShort(
        toItems(value)
          .map((item) => labels.get(toPlain(item)) ?? toPlain(item))
          .join(', '),
      );
  }
  if (defaultFormat === 'relative') return (value, _row, now) => toTime(value, now);
  if (defaultFormat === 'image')
    return (value) => (toPlain(value) === '' ? '' : toFormatted('image', value, THUMBNAIL));
  if (defaultFormat === 'date' || defaultFormat === 'none') return (value) => toShort(toPlain(value));
  if (isJson || TALL.has(defaultFormat)) return (value) => toShort(isJson ? toListText(value) : toPlain(value));
  return toOwnRenderer(field, undefined);
}

/** How a column's values are shown in a list: by the definition's `list` format, else by the type. */
export function toCellRenderer(column: ColumnModel): CellRenderer {
  const { list } = column.field;
  return list === undefined || list.format === 'none' ? toTypeRenderer(column) : toOwnRenderer(column.field, list);
}

/** True if a cell may hold a link or another element of its own, so that no link may go around it. */
export function holdsElements({ field }: ColumnModel): boolean {
  const format = field.list?.format ?? fieldKinds[field.type].defaultFormat;
  return formats[format]?.isHtml === true && !(field.list === undefined && TALL.has(format));
}

/** Names that the templates of a column's format read from the row. */
export function listRead({ list }: ColumnModel['field']): string[] {
  const texts = (list?.parameters ?? []).map(String);
  return texts.flatMap((text) => [...text.matchAll(/\{\{\s*([\w.]+)\s*\}\}/g)].map(([, name = '']) => name));
}
