import type { SchemaModel } from '../../model/model.ts';
import type { Settings } from '../../model/shape.ts';
import type { CallPlan } from '../../plan/feature.ts';
import { type Json, toValueSchema } from './value.ts';

/** A parameter of a call's path or query. */
export interface ParameterFacts {
  readonly name: string;
  readonly place: 'path' | 'query';
  readonly type: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly schema: Json;
  readonly sample: string;
}

export const OPERATORS = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'between',
  'in',
  'nin',
  'contains',
  'starts',
  'ends',
  'null',
  'has',
] as const;

function make(name: string, schema: Json, description: string, sample = ''): ParameterFacts {
  const type = String(schema.type ?? 'string');
  return { name, place: 'query', type, description, isRequired: false, schema, sample };
}

/** The search grammar for one schema: only what its flags allow. */
export function listSearchParameters(
  schema: SchemaModel,
  limits: Settings['limits'],
  call: CallPlan,
): ParameterFacts[] {
  const names = (isThere: (column: SchemaModel['columns'][number]) => boolean): string[] =>
    schema.columns.filter(isThere).map(({ name }) => name);
  const searchable = names(({ isSearchable }) => isSearchable);
  const filterable = schema.columns.filter(({ isFilterable }) => isFilterable);
  const sortable = names(({ isSortable }) => isSortable);
  const branches = schema.relations.filter(({ kind }) => kind !== '1:1').map(({ name }) => name);
  const text = { type: 'string' };
  const fixed = call.definition.parameters ?? {};
  return [
    ...(searchable.length > 0 ? [make('q', text, `Words, all of which must be in ${searchable.join(', ')}`)] : []),
    ...filterable.map((column) =>
      make(
        `filter[${column.name}]`,
        toValueSchema(column),
        `Rows with this ${column.label.toLowerCase()}; filter[${column.name}][op] compares otherwise: ${OPERATORS.join(' ')}`,
      ),
    ),
    ...(sortable.length > 0
      ? [
          make(
            'sort',
            text,
            `Columns, with - for descending: ${sortable.join(', ')}. By default the oldest row comes first`,
            `-${sortable[0]}`,
          ),
        ]
      : []),
    make(
      'limit',
      { type: 'integer', minimum: 1, maximum: limits.maxPageRows, default: limits.pageRows },
      `Rows of a page, 1 to ${limits.maxPageRows}; ${limits.pageRows} by default`,
      '2',
    ),
    make('offset', { type: 'integer', minimum: 0, default: 0 }, 'Rows to skip'),
    make('after', text, 'Cursor: the rows after it'),
    make('before', text, 'Cursor: the rows before it'),
    make('fields', text, 'Columns to answer with, by comma'),
    ...(branches.length > 0
      ? [make('expand', text, `Relations to answer with, by comma: ${branches.join(', ')}`)]
      : []),
    make('total', { type: 'integer', enum: [0, 1], default: 1 }, '0 leaves the count out'),
  ].filter(({ name }) => !(name in fixed));
}
