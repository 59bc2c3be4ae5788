import { findShownTo } from '../../access/reach.ts';
import { translate } from '../../core/text/translate.ts';
import type { Json } from '../../model/json/value-schema.ts';
import type { Model, SchemaModel } from '../../model/model.ts';
import { findOwnerColumn } from '../../model/role/owner-column.ts';
import { hasPrivate, listPrivate } from '../../model/role/private.ts';
import { AGGREGATES } from '../../model/shape.ts';
import type { CallPlan } from '../../plan/feature.ts';
import { getSearcher } from '../../store/read/searcher.ts';
import type { Source, SourceColumn } from '../../store/read/source/source.ts';
import { type ComparedFacts, describeCompared, LINKED, type OperatorFacts } from './filter-operators.ts';
import { listExpandNames, listFieldNames, MOST_NAMES } from './related-names.ts';
import { listTreeKeys } from './row.ts';
import { createSample, toNoun } from './value.ts';

/** A parameter of a call's path or query. */
export interface ParameterFacts {
  readonly name: string;
  readonly place: 'path' | 'query';
  readonly type: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly schema: Json;
  readonly sample: string;
  /** Of a condition: what follows the column in brackets, with the value that it takes. */
  readonly operators?: readonly OperatorFacts[];
}

function make(name: string, schema: Json, description: string, sample = ''): ParameterFacts {
  // A list is one text with commas.
  const type = schema.type === 'array' ? 'string' : String(schema.type ?? 'string');
  return { name, place: 'query', type, description, isRequired: false, schema, sample };
}

/** A condition on a column. `sample` is a value that the column may have. */
const compare = (
  name: string,
  { schema, operators }: ComparedFacts,
  description: string,
  sample: unknown = '',
): ParameterFacts => ({ ...make(`filter[${name}]`, schema, description, toText(sample)), operators });

/** A sample as a query has it; of a list its first item. */
function toText(sample: unknown): string {
  const one: unknown = Array.isArray(sample) ? sample[0] : sample;
  return typeof one === 'string' || typeof one === 'number' ? String(one) : '';
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

/** Bounds of what the server reads: a cursor's characters, the rows that it skips or counts, the levels of a tree. */
const CURSOR: Json = { type: 'string', maxLength: 8192 };
const MAX_OFFSET = 10_000_000;
const MOST_LEVELS = 10;

/** What a search offers to its callers. */
interface Offer {
  readonly source: Source;
  readonly model: Model;
  readonly call: CallPlan;
  readonly closed: ReadonlySet<string>;
}

/** Conditions on the row's own columns. */
function listOwnConditions({ source, closed }: Offer, columns: SchemaModel['byName']): ParameterFacts[] {
  return [...source.filterable.values()].flatMap((found) => {
    const { name, type } = found;
    const column = columns.get(name);
    if (column?.field.type === 'active' || !column || closed.has(name)) return [];
    const label = toNoun(column.label);
    const facts = describeCompared(found, column);
    const operators = facts.operators.map((operator) => operator.name).join(' ');
    const words =
      type === 'json'
        ? translate(
            'Rows with this item in {label}; filter[{name}.key] compares a value within it, filter[{name}.0] an item',
            { label, name },
          )
        : operators === ''
          ? translate('Rows with this {label}', { label })
          : translate('Rows with this {label}; filter[{name}][op] uses another operator: {operators}', {
              ...{ label, name, operators },
            });
    return compare(name, facts, words, createSample(column));
  });
}

/** Conditions on the keys of related rows. */
function listKeyConditions({ source }: Offer, columns: SchemaModel['byName']): ParameterFacts[] {
  const isKey = ({ name, type }: SourceColumn): boolean =>
    type === 'integer' && name !== source.primary.name && !columns.has(name);
  const text = translate('Rows linked with the row of this id');
  const own = [...source.filterable.values()].filter(isKey).map((column) => {
    const { name, tree } = column;
    const facts = describeCompared(column, undefined);
    if (tree === undefined) return compare(name, facts, text, 1);
    const more = translate('filter[{name}][below] finds all rows below a row, filter[{name}][above] all above it', {
      name,
    });
    return compare(name, facts, `${text}; ${more}`, 1);
  });
  return [
    ...own,
    ...listLinked(source)
      .filter(isKey)
      .map(({ name }) => compare(name, LINKED, text, 1)),
  ];
}

/** Conditions on columns of related rows, each by its own type. */
function listRelatedConditions({ source, model, call }: Offer): ParameterFacts[] {
  return [...source.related].flatMap(([name, { columns: inner, isBack, target }]) => {
    const schema = model.schemas.get(target);
    const hidden = listClosed(model, call, schema, true);
    const isOffered = (column: SourceColumn): boolean =>
      column.type !== 'integer' && column.isActive !== true && !hidden.has(column.name);
    const offered = isBack ? [] : [...inner.values()].filter(isOffered);
    return offered.map((column) => {
      const text = translate('Rows linked with a {name} with this value; operators work too', { name });
      const own = schema?.byName.get(column.name);
      return compare(`${name}.${column.name}`, describeCompared(column, own), text, own && createSample(own));
    });
  });
}

const listConditions = (offer: Offer, columns: SchemaModel['byName']): ParameterFacts[] => [
  ...listOwnConditions(offer, columns),
  ...listKeyConditions(offer, columns),
  ...listRelatedConditions(offer),
];

/** The parameter for removed rows, on a call that allows them. */
function listRemoved({ active }: SchemaModel, call: CallPlan, description: string): ParameterFacts[] {
  if (!call.definition.removed || active === undefined) return [];
  return [make(`filter[${active}]`, { type: 'string', enum: ['1', '0', 'any'], default: '1' }, description, '1')];
}

/** Ids of related rows that are not columns of the row. */
const listLinked = ({ links }: Source): SourceColumn[] =>
  [...links].flatMap(([name, { columns, isBack }]) => (isBack ? [] : (columns.get(name) ?? [])));

const NUMBERS: ReadonlySet<SourceColumn['type']> = new Set(['number', 'decimal', 'flag']);

function listGroups(call: CallPlan, { sure, primary }: Source): ParameterFacts[] {
  const own = [...sure.values()].filter(({ name, type }) => name !== primary.name && type !== 'json');
  const group = own.find(({ type }) => type === 'text')?.name ?? own[0]?.name;
  const number = own.find(({ type }) => NUMBERS.has(type))?.name;
  const words = {
    group: translate(
      'Columns to group by, for a time column:hour, :day, :week, :month or :year; the answer has groups instead of rows',
    ),
    sum: translate('A numeric column to sum, as total in each group'),
    average: translate('A numeric column to average, as average in each group'),
    count: translate('1 to count rows, or a column to count its values, as count in each group'),
    least: translate('A column of numbers or times; its least value, as least in each group'),
    greatest: translate('A column of numbers or times; its greatest value, as greatest in each group'),
  };
  const samples: Partial<Record<keyof typeof words, string | undefined>> = { group, count: '1' };
  return (call.definition.aggregate ?? []).map((name) =>
    make(name, { type: 'string' }, words[name], name in samples ? samples[name] : number),
  );
}

const listNames = (names: Iterable<string>): string => [...names].join(', ');

/** The names that `expand` takes besides the relations; that of a tree's rows below with a depth. */
const listBranches = (schema: SchemaModel): string[] =>
  listTreeKeys(schema).map(({ expands, isBelow }) => (isBelow ? `${expands}:3` : expands));

/** Names that a parameter takes, by comma; so many that they are not listed are any text. */
const toNames = (names: readonly string[]): Json => ({
  type: 'array',
  items: names.length > MOST_NAMES ? { type: 'string' } : { type: 'string', enum: names },
});

/** True for a call that may answer with groups, which are sorted by their own columns. */
const isGrouped = ({ definition: { aggregate = [], parameters = {} } }: CallPlan): boolean =>
  aggregate.length > 0 || AGGREGATES.some((name) => Object.hasOwn(parameters, name));

/** The primary key, and columns of 1:1 relations by which the caller may sort. */
function listFlatSorts(schema: SchemaModel, model: Model, call: CallPlan): SourceColumn[] {
  const { sortable } = getSearcher(model).source(schema.name);
  const flat = schema.row.flat.filter(
    ({ column, target }) => !listClosed(model, call, model.schemas.get(target), true).has(column),
  );
  return [schema.primary, ...flat.map(({ name }) => name)].flatMap((name) => sortable.get(name) ?? []);
}

/** What `sort` takes: columns, and of a JSON column one of its values by key. */
function toSortSchema(sortable: readonly SourceColumn[]): Json {
  const isJson = ({ type }: SourceColumn): boolean => type === 'json';
  const names = sortable.filter((column) => !isJson(column)).flatMap(({ name }) => [name, `-${name}`]);
  const keyed = sortable.filter(isJson).map(({ name }) => name);
  const named = { type: 'string', enum: names };
  const byKey = { type: 'string', pattern: `^-?(?:${keyed.join('|')})\\..+$` };
  const items = keyed.length === 0 ? named : names.length === 0 ? byKey : { anyOf: [named, byKey] };
  return { type: 'array', items, maxItems: 5 };
}

/** What `expand` takes: relations, and parts of trees, those below a row with a depth. */
function toExpandSchema(schema: SchemaModel, source: Source, model: Model): Json {
  const parts = listTreeKeys(schema).flatMap(({ expands, isBelow }) =>
    isBelow ? [expands, ...Array.from({ length: MOST_LEVELS }, (_, index) => `${expands}:${index + 1}`)] : [expands],
  );
  return toNames([...listExpandNames(getSearcher(model), source), ...parts]);
}

/** What `fields` takes: columns, and those of relations; of a detail relations, too. */
function toFieldsSchema(source: Source, model: Model, relations: readonly string[] = []): Json {
  return toNames([...listFieldNames(getSearcher(model), source), ...relations]);
}

/** The parameter for the order, unless nothing can be sorted by. */
function listSorts({ source, model, call, closed }: Offer, schema: SchemaModel): ParameterFacts[] {
  const sorted = [...source.sortable.values()].filter(({ name }) => schema.byName.has(name) && !closed.has(name));
  const names = sorted.map(({ name, type }) => (type === 'json' ? `${name}.key` : name));
  if (names.length === 0) return [];
  const words = translate('Columns, with - for descending: {columns}. Default: oldest row first', {
    columns: listNames(names),
  });
  const ofRows = toSortSchema([...listFlatSorts(schema, model, call), ...sorted]);
  const ofGroups = { type: 'array', items: { type: 'string' }, maxItems: 5 };
  return [make('sort', isGrouped(call) ? ofGroups : ofRows, words, `-${names[0]}`)];
}

/** Parameters that calls have in common, by what they depend on. */
export type KnownParameters = Map<string, readonly ParameterFacts[]>;

/** The parameters of a call that its definition does not fix. Who asks counts only where a column is private. */
function listOpen(
  about: {
    readonly schema: SchemaModel;
    readonly model: Model;
    readonly call: CallPlan;
    readonly known: KnownParameters;
  },
  list: (schema: SchemaModel, model: Model, call: CallPlan) => ParameterFacts[],
): ParameterFacts[] {
  const { schema, model, call, known } = about;
  const { access, removed, aggregate, parameters = {} } = call.definition;
  const caller = hasPrivate(model) && [access, call.isOwn];
  const key = JSON.stringify([list.name, schema.name, removed, aggregate, isGrouped(call), caller]);
  const all = known.get(key) ?? list(schema, model, call);
  known.set(key, all);
  return all.filter(({ name }) => !Object.hasOwn(parameters, name));
}

function listAllOfSearch(schema: SchemaModel, model: Model, call: CallPlan): ParameterFacts[] {
  const { limits } = model.settings;
  const source = getSearcher(model).source(schema.name);
  const searchable = listNames(source.searchable.map(({ name }) => name));
  const closed = listClosed(model, call, schema);
  const text = { type: 'string' };
  const whole = (least: number, more: Json = {}): Json => ({ type: 'integer', minimum: least, ...more });
  const rows = translate('Rows per page, 1 to {most}; {usual} by default', {
    most: limits.maxPageRows,
    usual: limits.pageRows,
  });
  const expand = translate(
    'Relations to include, separated by commas: {names}. A list has at most 100 rows, and name_more if there are more; a page includes {most} related rows at most',
    { names: listNames([...source.relations.keys(), ...listBranches(schema)]), most: limits.expandRows },
  );
  const q = translate('Words that match by prefix in {columns}; case and accents do not matter', {
    columns: searchable,
  });
  return [
    ...(searchable === '' ? [] : [make('q', text, q, 'text')]),
    ...listConditions({ source, model, call, closed }, schema.byName),
    ...listRemoved(schema, call, translate('0 for removed rows, any for all rows')),
    ...listSorts({ source, model, call, closed }, schema),
    make('limit', whole(1, { maximum: limits.maxPageRows, default: limits.pageRows }), rows, '2'),
    make('offset', whole(0, { maximum: MAX_OFFSET, default: 0 }), translate('Rows to skip'), '0'),
    make(
      'after',
      CURSOR,
      translate('Cursor: the value of next in the last answer; stable while rows are added or removed'),
    ),
    make('before', CURSOR, translate('Cursor: the value of previous in the last answer')),
    make('fields', toFieldsSchema(source, model), translate('Columns to include, separated by commas'), schema.primary),
    ...(source.relations.size > 0
      ? [make('expand', toExpandSchema(schema, source, model), expand, source.relations.keys().next().value)]
      : []),
    make(
      'total',
      whole(0, { maximum: MAX_OFFSET, default: 1 }),
      translate('0 skips the count, 1 counts all rows, a greater number counts up to there'),
      '1',
    ),
    ...listGroups(call, source),
  ];
}

function listAllOfDetail(schema: SchemaModel, model: Model, call: CallPlan): ParameterFacts[] {
  const source = getSearcher(model).source(schema.name);
  const { relations } = source;
  const [names, branches] = [listNames(relations.keys()), listNames(listBranches(schema))];
  const expand =
    branches === ''
      ? translate('Relations to include, separated by commas, none if it is empty; default all: {names}', { names })
      : translate(
          'Relations to include, separated by commas, none if it is empty; default {names}; of the tree only what is named: {branches}',
          { names, branches },
        );
  return [
    make(
      'fields',
      toFieldsSchema(
        source,
        model,
        schema.relations.map(({ name }) => name),
      ),
      translate('Columns to include, separated by commas; the id is always included'),
      schema.primary,
    ),
    ...(relations.size === 0
      ? []
      : [make('expand', toExpandSchema(schema, source, model), expand, relations.keys().next().value)]),
    ...listRemoved(schema, call, translate('0 or any: the row also where it was removed')),
  ];
}

/** The search grammar for one schema: only what its flags allow. */
export const listSearchParameters = (
  schema: SchemaModel,
  model: Model,
  call: CallPlan,
  known: KnownParameters,
): ParameterFacts[] => listOpen({ schema, model, call, known }, listAllOfSearch);

/** The parameters of a detail, except the row's id. */
export const listDetailParameters = (
  schema: SchemaModel,
  model: Model,
  call: CallPlan,
  known: KnownParameters,
): ParameterFacts[] => listOpen({ schema, model, call, known }, listAllOfDetail);
