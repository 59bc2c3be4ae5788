import { toLocalText } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { type ComputedValue, listComputed } from '../../../model/computed.ts';
import { readFormat, toShownGroups } from '../../../model/format/field-format.ts';
import { formats, toFormatted, toRelative } from '../../../model/format/format.ts';
import { escapeHtml, toPlain } from '../../../model/format/format-text.ts';
import type { ColumnModel, SchemaModel } from '../../../model/model.ts';

/** A value of a row as a page shows it. */
export interface ShownField {
  readonly label: string;
  /** Safe HTML; empty if there is no value. */
  readonly html: string;
  /** True for a value of several lines. */
  readonly isWide: boolean;
}

const WIDE: ReadonlySet<string> = new Set(['html', 'markdown', 'jsonpretty', 'table', 'meta', 'carousel', 'strip']);
const LONG: ReadonlySet<string> = new Set(['textarea', 'code']);

/** The words for the keys of a choice. */
function toOptionText({ options = [] }: ColumnModel['field'], value: unknown): unknown {
  if (options.length === 0) return value;
  const labels = new Map(options.map(({ key, value: label }) => [key, toLocalText(label)]));
  const toLabel = (key: unknown): unknown => labels.get(toPlain(key)) ?? key;
  return Array.isArray(value) ? value.map(toLabel) : toLabel(value);
}

/** Text in lines. Frames get a title, as pages need one for each; the keyboard reaches wide code and tables, which scroll. */
const toHtml = (html: string): string =>
  html
    .replace(/<iframe(?![^>]*\stitle=)/gi, '<iframe title="Embedded content"')
    .replace(/<(pre|table)(?=[\s>])/gi, '<$1 tabindex="0"');

const RELATIVE: ReadonlySet<string> = new Set(['datetime', 'created', 'updated']);

/** Types that a detail page shows better than their usual format: times with both forms, formatted texts as such. */
function toOwnHtml({ field }: ColumnModel, value: unknown, now: number): string | undefined {
  if (typeof value === 'string' && RELATIVE.has(field.type)) {
    return `<time datetime="${escapeHtml(value.replace(' ', 'T'))}Z">${escapeHtml(value)}</time> <span class="t-hint">${escapeHtml(toRelative(value, now))}</span>`;
  }
  if (field.type !== 'wysiwyglist' || !Array.isArray(value)) return undefined;
  return value.map((item) => `<div>${toHtml(toFormatted('html', item))}</div>`).join('');
}

/** Code and JSON as such; long text with its line breaks. */
function toPlainHtml(type: string, format: string, text: string): string {
  const html = escapeHtml(text);
  if (text === '') return html;
  if (format === 'jsonpretty' || type === 'code') return `<pre class="t-code t-code-wrap" tabindex="0">${html}</pre>`;
  return LONG.has(type) ? `<div class="t-values-text">${html}</div>` : html;
}

function toField(column: ColumnModel, row: Row, now: number): ShownField | undefined {
  const { field, label, name } = column;
  const { format, parameters } = readFormat(field, field.detail);
  if (format === 'hide') return undefined;
  const value = toShownGroups(column, toOptionText(field, row[name]));
  const own = field.detail === undefined ? toOwnHtml(column, value, now) : undefined;
  if (own !== undefined) return { label: toLocalText(label), html: own, isWide: field.type === 'wysiwyglist' };
  const isBlank = value === null || value === undefined || value === '';
  const text = isBlank ? '' : toFormatted(format, value, parameters, { row, now });
  const isHtml = formats[format]?.isHtml === true;
  return {
    label: toLocalText(label),
    html: isHtml ? toHtml(text) : toPlainHtml(field.type, format, text),
    isWide: text !== '' && (WIDE.has(format) || LONG.has(field.type)),
  };
}

function toComputedField({ field, compute }: ComputedValue, row: Row): ShownField {
  return { label: toLocalText(field.label ?? field.name), html: escapeHtml(toPlain(compute(row))), isWide: false };
}

/** Columns of a row in the format of its detail page, with its computed values. */
export function toShownFields(
  schema: SchemaModel,
  row: Row,
  columns: readonly ColumnModel[],
  now: number,
): ShownField[] {
  const wanted = new Set(columns.map(({ name }) => name));
  const computed = new Map(listComputed(schema).map((item) => [item.name, item] as const));
  return schema.definition.fields.flatMap((field) => {
    const column = schema.columns.find((own) => own.field.name === field.name);
    if (column)
      return wanted.has(column.name) && Object.hasOwn(row, column.name) ? (toField(column, row, now) ?? []) : [];
    const item = computed.get(field.name);
    return item && Object.hasOwn(row, field.name) ? [toComputedField(item, row)] : [];
  });
}
