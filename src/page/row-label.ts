import { memoize } from '../core/memoize.ts';
import { toTypedDecimal } from '../model/field/field-kind-decimal.ts';
import { cutCharacters, fillTemplate, stripTags } from '../model/format/format-text.ts';
import type { ColumnModel, SchemaModel } from '../model/model.ts';

type Row = Readonly<Record<string, unknown>>;

/** Maximum characters of a row's label. */
const MOST_CHARACTERS = 80;

/** The columns of decimals that a schema's `display` names. */
const listDecimals = memoize(({ display = '', columns }: SchemaModel): readonly ColumnModel[] =>
  columns.filter(({ field, name }) => field.type === 'decimal' && display.includes(name)),
);

/** A row with its decimals as a label shows them: `1.500` would be fifteen hundred on a German page. */
function toLocalRow(schema: SchemaModel, row: Row): Row {
  const decimals = listDecimals(schema);
  if (decimals.length === 0) return row;
  return { ...row, ...Object.fromEntries(decimals.map(({ name, field }) => [name, toTypedDecimal(field, row[name])])) };
}

/** The text by which people know a row: the schema's `display`, else its first text, else its id. */
export function toRowLabel(schema: SchemaModel, row: Row): string {
  const filled = schema.display === undefined ? '' : fillTemplate(schema.display, toLocalRow(schema, row));
  const label = filled.trim() === '' ? findText(schema, row) : filled;
  return label === undefined
    ? `#${String(row[schema.primary] ?? '')}`
    : cutCharacters(/[<&]/.test(label) ? stripTags(label) : label, MOST_CHARACTERS);
}

function findText(schema: SchemaModel, row: Row): string | undefined {
  for (const { name } of schema.row.shown) {
    const value = row[name];
    if (typeof value === 'string' && value.trim() !== '' && Number.isNaN(Number(value))) return value;
  }
  return undefined;
}

/** The columns that a label needs, so that a list can read these only; undefined: any column may be needed. */
export function listLabelColumns({ display }: SchemaModel): readonly string[] | undefined {
  if (display === undefined) return undefined;
  return [...display.matchAll(/\{\{\s*([\w.]+)\s*\}\}/g)].map(([, name = '']) => name);
}
