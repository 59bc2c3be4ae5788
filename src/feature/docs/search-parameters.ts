import { findShownTo } from '../../access/reach.ts';
import { translate } from '../../core/text/translate.ts';
import { OPERATOR_NAMES } from '../../model/filter/operator.ts';
import { type Json, toValueSchema } from '../../model/json/value-schema.ts';
import type { Model, SchemaModel } from '../../model/model.ts';
import { findOwnerColumn } from '../../model/role/owner-column.ts';
import { listPrivate } from '../../model/role/private.ts';
import type { CallPlan } from '../../plan/feature.ts';
import { getSearcher } from '../../store/read/searcher.ts';
import type { Source, SourceColumn } from '../../store/read/source/source.ts';
import { listTreeKeys } from './row.ts';
import { toNoun } from './value.ts';

/** A parameter of a call's path or query. */
export interface ParameterFacts {
  readonly name: string;
  readonly place: 'path' | 'query';
  readonly type: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly schema: Json;
  readonly sample: string;
  /** True for the key of a tree's parent. */
  readonly isTree?: true;
}

export const OPERATORS = OPERATOR_NAMES;

function make(name: string, schema: Json, description: string, sample = ''): ParameterFacts {
  const type = String(schema.type ?? 'string');
  return { name, place: 'query', type, description, isRequired: false, schema, sample };
}

/** Private columns of a schema by which callers may not ask, because not every row shows them. */
function listClosed(model: Model, call: CallPlan, schema: SchemaModel | undefined, isRelated = false): Set<string> {
  const hidden = schema === undefined ? [] : listPrivate(schema);
  if (schema === undefined || hidden.length === 0) return new Set();
  const { access } = call.definition;
  const isOwned = access === 'user' && call.isOwn && !isRelated && findOwnerColumn(schema) !== undefined;
  const shown = findShownTo(model, access, schema.name, isRelated ? 'detail' : 'search', isOwned);
  return new Set(hidden.filter((name) => shown === undefined || shown.sure?.has(name) === false));
}

/** What a search offers to its callers. */
interface Offer {
  readonly source: Source;
  readonly model: Model;
  readonly call: CallPlan;
  readonly closed: ReadonlySet<string>;
}

function listConditions({ source, model, call, closed }: Offer, columns: SchemaModel['byName']): ParameterFacts[] {
  const operators = OPERATORS.join(' ');
  const own = [...source.filterable.values()].flatMap(({ name, type }) => {
    const column = columns.get(name);
    if (column?.field.type === 'active' || !column || closed.has(name)) return [];
    const label = toNoun(column.label);
    if (type !== 'json') {
      return make(
        `filter[${name}]`,
        toValueSchema(column),
        translate('Rows with this {label}; filter[{name}][op] uses another operator: {operators}', {
          ...{ label, name, operators },
        }),
      );
    }
    const text = translate(
      'Rows with this item in {label}; filter[{name}.key] compares a value within it, filter[{name}.0] an item',
      { label, name },
    );
    return make(`filter[${name}]`, { type: 'string' }, text);
  });
  const ids = [...source.filterable.values(), ...listLinked(source)].filter(
    ({ name, type }) => type === 'integer' && name !== source.primary.name && !columns.has(name),
  );
  const id = { type: 'integer', minimum: 1 };
  const related = [...source.related].flatMap(([name, { columns: inner, isBack, target }]) => {
    const hidden = listClosed(model, call, model.schemas.get(target), true);
    const isOffered = (column: SourceColumn): boolean =>
      column.type !== 'integer' && column.type !== 'flag' && !hidden.has(column.name);
    const names = isBack ? [] : [...inner.values()].filter(isOffered);
    return names.map((column) => {
      const text = translate('Rows linked with a {name} with this value; operators work too', { name });
      return make(`filter[${name}.${column.name}]`, { type: 'string' }, text);
    });
  });
  const toKey = ({ name, tree }: SourceColumn): ParameterFacts => {
    const text = translate('Rows linked with the row of this id');
    if (tree === undefined) return make(`filter[${name}]`, id, text);
    const more = translate('filter[{name}][below] finds all rows below a row, filter[{name}][above] all above it', {
      name,
    });
    return { ...make(`filter[${name}]`, id, `${text}; ${more}`), isTree: true };
  };
  return [...own, ...ids.map(toKey), ...related];
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
      translate(
        'Columns to group by, for a time column:hour, :day, :week, :month or :year; the answer has groups instead of rows',
      ),
    ),
    sum: make('sum', text, translate('A numeric column to sum, as total in each group')),
    average: make('average', text, translate('A numeric column to average, as average in each group')),
    count: make('count', text, translate('1 to count rows, or a column to count its values, as count in each group')),
    least: make('least', text, translate('A column of numbers or times; its least value, as least in each group')),
    greatest: make(
      'greatest',
      text,
      translate('A column of numbers or times; its greatest value, as greatest in each group'),
    ),
  };
  return (call.definition.aggregate ?? []).map((name) => facts[name]);
}

const listNames = (names: Iterable<string>): string => [...names].join(', ');

/** The names that `expand` takes besides the relations; that of a tree's rows below with a depth. */
const listBranches = (schema: SchemaModel): string[] =>
  listTreeKeys(schema).map(({ expands, isBelow }) => (isBelow ? `${expands}:3` : expands));

/** The search grammar for one schema: only what its flags allow. */
export function listSearchParameters(schema: SchemaModel, model: Model, call: CallPlan): ParameterFacts[] {
  const { limits } = model.settings;
  const source = getSearcher(model).source(schema.name);
  const searchable = listNames(source.searchable.map(({ name }) => name));
  const closed = listClosed(model, call, schema);
  const sortable = [...source.sortable.values()]
    .filter(({ name }) => schema.byName.has(name) && !closed.has(name))
    .map(({ name, type }) => (type === 'json' ? `${name}.key` : name));
  const text = { type: 'string' };
  const fixed = call.definition.parameters ?? {};
  const whole = (least: number, more: Json = {}): Json => ({ type: 'integer', minimum: least, ...more });
  const rows = translate('Rows per page, 1 to {most}; {usual} by default', {
    most: limits.maxPageRows,
    usual: limits.pageRows,
  });
  const expand = translate(
    'Relations to include, separated by commas: {names}. A list has at most 100 rows, and name_more if there are more; a page includes {most} related rows at most',
    { names: listNames([...source.relations.keys(), ...listBranches(schema)]), most: limits.expandRows },
  );
  return [
    ...(searchable === ''
      ? []
      : [
          make(
            'q',
            text,
            translate('Words that match by prefix in {columns}; case and accents do not matter', {
              columns: searchable,
            }),
          ),
        ]),
    ...listConditions({ source, model, call, closed }, schema.byName),
    ...listRemoved(schema, call, translate('0 for removed rows, any for all rows')),
    ...(sortable.length === 0
      ? []
      : [
          make(
            'sort',
            text,
            translate('Columns, with - for descending: {columns}. Default: oldest row first', {
              columns: listNames(sortable),
            }),
            `-${sortable[0]}`,
          ),
        ]),
    make('limit', whole(1, { maximum: limits.maxPageRows, default: limits.pageRows }), rows, '2'),
    make('offset', whole(0, { default: 0 }), translate('Rows to skip')),
    make(
      'after',
      text,
      translate('Cursor: the value of next in the last answer; stable while rows are added or removed'),
    ),
    make('before', text, translate('Cursor: the value of previous in the last answer')),
    make('fields', text, translate('Columns to include, separated by commas')),
    ...(source.relations.size > 0 ? [make('expand', text, expand)] : []),
    make(
      'total',
      whole(0, { default: 1 }),
      translate('0 skips the count, 1 counts all rows, a greater number counts up to there'),
    ),
    ...listGroups(call),
  ].filter(({ name }) => !(name in fixed));
}

/** The parameters of a detail, except the row's id. */
export function listDetailParameters(schema: SchemaModel, model: Model, call: CallPlan): ParameterFacts[] {
  const fixed = call.definition.parameters ?? {};
  const source = getSearcher(model).source(schema.name);
  const { relations } = source;
  const text = { type: 'string' };
  const [names, branches] = [listNames(relations.keys()), listNames(listBranches(schema))];
  const expand =
    branches === ''
      ? translate('Relations to include, separated by commas, none if it is empty; default all: {names}', { names })
      : translate(
          'Relations to include, separated by commas, none if it is empty; default {names}; of the tree only what is named: {branches}',
          { names, branches },
        );
  return [
    make('fields', text, translate('Columns to include, separated by commas; the id is always included')),
    ...(relations.size === 0 ? [] : [make('expand', text, expand)]),
    ...listRemoved(schema, call, translate('0 or any: the row also where it was removed')),
  ].filter(({ name }) => !(name in fixed));
}
