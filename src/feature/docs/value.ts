import { currentLocaleTag, toLocalText, translate } from '../../core/text/translate.ts';
import { fieldKinds } from '../../model/field/field-kind.ts';
import { toDecimalExample } from '../../model/field/field-kind-decimal.ts';
import { toRecord } from '../../model/json/json-parts.ts';
import type { Json } from '../../model/json/value-schema.ts';
import type { ColumnModel } from '../../model/model.ts';
import type { FieldType } from '../../model/shape.ts';

/** The time in every sample, so that the docs of one plan are the same bytes on every day. */
const SAMPLE_STAMP = '2026-01-15 09:30:00';

const SAMPLES: Partial<Record<FieldType, unknown>> = {
  email: 'ann@example.org',
  url: 'https://example.org/page',
  slug: 'a-short-name',
  color: '#0a5c66',
  wysiwyg: '<p>Some text.</p>',
  date: '2026-01-15',
  time: '09:30:00',
  datetime: SAMPLE_STAMP,
  created: SAMPLE_STAMP,
  updated: SAMPLE_STAMP,
  week: '2026-W03',
  month: '2026-01',
  small: 1,
  float: 1.5,
  price: 9.5,
  stars: 4,
  checkbox: 1,
  switch: 1,
  active: 1,
  countrylist: 'FR',
  file: 'https://example.org/file.pdf',
  image: 'https://example.org/image.png',
  filelist: ['https://example.org/file.pdf'],
  imagelist: ['https://example.org/image.png'],
  tag: ['one', 'two'],
  textlist: ['one', 'two'],
  textarealist: ['one', 'two'],
  wysiwyglist: ['<p>Some text.</p>'],
  meta: { colour: 'green' },
  latlng: [52.52, 13.405],
  rawjson: {},
  table: [],
  multirange: '1;5',
  uuid: '1f0e8c52-7f0a-4b5c-9a53-6f0a1c2d3e4f',
  ipaddress: '192.0.2.1',
};

/** An example value of the column. */
export function createSample(column: ColumnModel): unknown {
  const { field, parts } = column;
  if (parts) {
    const group = Object.fromEntries(parts.map((part) => [part.name, createSample(part)]));
    return field.multiple === true ? [group] : group;
  }
  if (field.options?.[0]) {
    const { key } = field.options[0];
    return field.type === 'multiselect' || field.type === 'checkboxes' ? [key] : key;
  }
  if (field.type === 'decimal') return toDecimalExample(field);
  if (field.type in SAMPLES) return SAMPLES[field.type];
  if (field.type === 'table' && field.columns) return [Object.fromEntries(field.columns.map((name) => [name, 'one']))];
  if (fieldKinds[field.type].group === 'number') return Number(field.attributes?.min ?? 1) || 1;
  return column.label;
}

/** A schema's type in a word or two, for a table. */
export function describeType(schema: Json): string {
  if (Array.isArray(schema.enum)) {
    const list = schema.enum.map((value) => JSON.stringify(value)).join(', ');
    return translate('one of {list}', { list });
  }
  if (Array.isArray(schema.anyOf))
    return schema.anyOf.map((part) => describeType(toRecord(part))).join(` ${translate('or')} `);
  if ('const' in schema) return JSON.stringify(schema.const);
  const type = Array.isArray(schema.type) ? schema.type.join(` ${translate('or')} `) : schema.type;
  if (type === undefined) return translate('any JSON');
  return typeof schema.format === 'string' && schema.format !== 'double'
    ? `${String(type)} (${schema.format})`
    : String(type);
}

/** The rules of a column in words: those of its type, then those of its definition. */
export function listRules(column: ColumnModel): string[] {
  const own = fieldKinds[column.field.type].expects(column.field);
  const rules = (column.field.validation ?? [])
    .filter(({ method }) => method !== 'required')
    .map(({ method, parameters, message }) => {
      const list = parameters === undefined ? [] : [parameters].flat();
      return message === undefined ? `${method}${list.length > 0 ? ` ${list.join(', ')}` : ''}` : toLocalText(message);
    });
  const isUnique = column.isUnique ? [translate('must be unique')] : [];
  return [toLocalText(own), ...isUnique, ...rules];
}

/** A label within a sentence: in English in small letters. */
export const toNoun = (label: string): string =>
  currentLocaleTag().startsWith('en') ? toLocalText(label).toLowerCase() : toLocalText(label);

/** What a column holds: its description, or else its label. */
export const describeColumn = ({ field, label }: ColumnModel): string => toLocalText(field.description ?? label);
