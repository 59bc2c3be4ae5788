import type { Row } from '../../../database/row-statement.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { toRowLabel } from '../../../page/row-label.ts';
import type { Context } from '../../../plan/feature.ts';
import { toDataPath } from '../offer.ts';
import { emitModel, readRow } from './open.ts';

/** A row that can be chosen. */
export interface Choice {
  readonly id: number;
  readonly label: string;
}

/** Rows that a picker shows at once. */
const SHOWN_ROWS = 10;

const isWords = (schema: SchemaModel): boolean => schema.columns.some(({ isSearchable }) => isSearchable);

/** A column by whose text rows are found where no column is searchable. */
const findTitle = (schema: SchemaModel): string | undefined =>
  schema.columns.find(({ isFilterable, field }) => isFilterable && ['text', 'slug', 'email'].includes(field.type))
    ?.name;

function toCondition(schema: SchemaModel, q: string): Row {
  if (q === '') return {};
  if (/^#?\d{1,15}$/.test(q) && !isWords(schema)) return { filter: { [schema.primary]: q.replace('#', '') } };
  if (isWords(schema)) return { q };
  const title = findTitle(schema);
  return title === undefined ? {} : { filter: { [title]: { contains: q } } };
}

export interface ChoiceList {
  readonly choices: readonly Choice[];
  /** Why nothing could be searched. */
  readonly fault: string | undefined;
}

/** The rows that match words, newest first; without words the newest. */
export async function findChoices(context: Context, schema: SchemaModel, q: string): Promise<ChoiceList> {
  const stage = {
    schema: schema.name,
    limit: SHOWN_ROWS,
    total: 0,
    sort: `-${schema.primary}`,
    ...toCondition(schema, q.trim()),
  };
  const response = await emitModel(context, 'system-model-search', stage);
  if (response.isError()) return { choices: [], fault: response.getMessage() };
  const rows = (response.getResults('rows') ?? []) as Row[];
  return { choices: rows.map((row) => toChoice(schema, row)), fault: undefined };
}

export const toChoice = (schema: SchemaModel, row: Row): Choice => ({
  id: Number(row[schema.primary]),
  label: toRowLabel(schema, row),
});

/** A row that is chosen already, also a removed one; its id where it is out of reach. */
export async function readChoice(context: Context, schema: SchemaModel, id: number): Promise<Choice> {
  const row = await readRow(context, schema, id);
  return row ? toChoice(schema, row) : { id, label: `#${id}` };
}

/** Path of a row's detail page. */
export const toRowPath = (schema: SchemaModel, id: number, page = 'detail'): string =>
  `${toDataPath(schema.name)}/${page}/${id}`;
