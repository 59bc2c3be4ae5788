import type { Model, SchemaModel } from '../../model/model.ts';
import { type Json, toValueSchema } from '../../model/value-schema.ts';
import type { CallPlan } from '../../plan/feature.ts';
import { OPERATOR_NAMES } from '../../query/operator.ts';
import { getSearcher } from '../../query/searcher.ts';
import type { Source, SourceColumn } from '../../query/source.ts';

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

export const OPERATORS = OPERATOR_NAMES;

function make(name: string, schema: Json, description: string, sample = ''): ParameterFacts {
  const type = String(schema.type ?? 'string');
  return { name, place: 'query', type, description, isRequired: false, schema, sample };
}

function listConditions(source: Source, columns: SchemaModel['byName']): ParameterFacts[] {
  const operators = OPERATORS.join(' ');
  const own = [...source.filterable.values()].flatMap(({ name, type }) => {
    const column = columns.get(name);
    if (column?.field.type === 'active' || !column) return [];
    const rows = `Rows with this ${column.label.toLowerCase()}`;
    if (type !== 'json') {
      return make(
        `filter[${name}]`,
        toValueSchema(column),
        `${rows}; filter[${name}][op] uses another operator: ${operators}`,
      );
    }
    const text = `Rows with this item in ${column.label.toLowerCase()}; filter[${name}.key] compares a value within it, filter[${name}.0] an item`;
    return make(`filter[${name}]`, { type: 'string' }, text);
  });
  const ids = [...source.filterable.values(), ...listLinked(source)].filter(
    ({ name, type }) => type === 'integer' && name !== source.primary.name && !columns.has(name),
  );
  const id = { type: 'integer', minimum: 1 };
  const related = [...source.related].flatMap(([name, { columns: inner, isBack }]) => {
    const names = isBack ? [] : [...inner.values()].filter(({ type }) => type !== 'integer' && type !== 'flag');
    return names.map((column) => {
      const text = `Rows linked with a ${name} with this value; operators work too`;
      return make(`filter[${name}.${column.name}]`, { type: 'string' }, text);
    });
  });
  return [
    ...own,
    ...ids.map(({ name }) => make(`filter[${name}]`, id, 'Rows linked with the row of this id')),
    ...related,
  ];
}

/** The parameter for removed rows, on a call that allows them. */
function listRemoved({ active }: SchemaModel, call: CallPlan, description: string): ParameterFacts[] {
  if (!call.definition.removed || active === undefined) return [];
  return [make(`filter[${active}]`, { type: 'string', enum: ['1', '0', 'any'], default: '1' }, description)];
}

/** Ids of related rows that are not columns of the row. */
const listLinked = ({ links }: Source): SourceColumn[] =>
  [...links].flatMap(([name, { columns, isBack }]) => (isBack ? [] : (columns.get(name) ?? [])));

function listGroups(call: CallPlan): ParameterFacts[] {
  const text = { type: 'string' };
  const facts = {
    group: make(
      'group',
      text,
      'Columns to group by, for a time column:day, :month or :year; the answer has groups instead of rows',
    ),
    sum: make('sum', text, 'A numeric column to sum, as total in each group'),
    count: make('count', text, '1 to count rows, or a column to count its values, as count in each group'),
  };
  return (call.definition.aggregate ?? []).map((name) => facts[name]);
}

const listNames = (names: Iterable<string>): string => [...names].join(', ');

/** The search grammar for one schema: only what its flags allow. */
export function listSearchParameters(schema: SchemaModel, model: Model, call: CallPlan): ParameterFacts[] {
  const { limits } = model.settings;
  const source = getSearcher(model).source(schema.name);
  const searchable = listNames(source.searchable.map(({ name }) => name));
  const sortable = [...source.sortable.values()]
    .filter(({ name }) => schema.byName.has(name))
    .map(({ name, type }) => (type === 'json' ? `${name}.key` : name));
  const text = { type: 'string' };
  const fixed = call.definition.parameters ?? {};
  const whole = (least: number, more: Json = {}): Json => ({ type: 'integer', minimum: least, ...more });
  const rows = `Rows per page, 1 to ${limits.maxPageRows}; ${limits.pageRows} by default`;
  const expand = `Relations to include, separated by commas: ${listNames(source.relations.keys())}. A list has at most 100 rows, and name_more if there are more; a page includes ${limits.expandRows} related rows at most`;
  return [
    ...(searchable === ''
      ? []
      : [make('q', text, `Words that match by prefix in ${searchable}; case and accents do not matter`)]),
    ...listConditions(source, schema.byName),
    ...listRemoved(schema, call, '0 for removed rows, any for all rows'),
    ...(sortable.length === 0
      ? []
      : [
          make(
            'sort',
            text,
            `Columns, with - for descending: ${listNames(sortable)}. Default: oldest row first`,
            `-${sortable[0]}`,
          ),
        ]),
    make('limit', whole(1, { maximum: limits.maxPageRows, default: limits.pageRows }), rows, '2'),
    make('offset', whole(0, { default: 0 }), 'Rows to skip'),
    make('after', text, 'Cursor: the value of next in the last answer; stable while rows are added or removed'),
    make('before', text, 'Cursor: the value of previous in the last answer'),
    make('fields', text, 'Columns to include, separated by commas'),
    ...(source.relations.size > 0 ? [make('expand', text, expand)] : []),
    make('total', { type: 'integer', enum: [0, 1], default: 1 }, '0 skips the count'),
    ...listGroups(call),
  ].filter(({ name }) => !(name in fixed));
}

/** The parameters of a detail, except the row's id. */
export function listDetailParameters(schema: SchemaModel, model: Model, call: CallPlan): ParameterFacts[] {
  const fixed = call.definition.parameters ?? {};
  const { relations } = getSearcher(model).source(schema.name);
  const text = { type: 'string' };
  const names = `Relations to include, separated by commas; default all: ${listNames(relations.keys())}`;
  return [
    make('fields', text, 'Columns to include, separated by commas; the id is always included'),
    ...(relations.size === 0 ? [] : [make('expand', text, names)]),
    ...listRemoved(schema, call, '0 or any: the row also where it was removed'),
  ].filter(({ name }) => !(name in fixed));
}
