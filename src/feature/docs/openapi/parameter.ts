import type { Json } from '../../../model/json/value-schema.ts';
import type { OperatorFacts } from '../filter-operators.ts';
import type { ParameterFacts } from '../search-parameters.ts';
import type { SharedComponents } from './shared.ts';

/** A schema without its title and description: the parameter has them. */
const toBare = ({ description: _, title: __, ...schema }: Json): Json => schema;

/** Lists are sent by comma, in one parameter. */
const listStyle = ({ type }: Json): Json => (type === 'array' ? { style: 'form', explode: false } : {});

/** What `filter[column][operator]=value` asks for. */
const SAYS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ne: 'not this value',
    gt: 'more than this',
    gte: 'this or more',
    lt: 'less than this',
    lte: 'this or less',
    between: 'from the first to the second value',
    in: 'one of these values',
    nin: 'none of these values',
    contains: 'a text with this in it',
    starts: 'a text that starts with this',
    ends: 'a text that ends with this',
    has: 'a list with this item',
    null: '1: no value; 0: any value',
    below: 'a row below the row of this id',
    above: 'a row above the row of this id',
  }),
);

/** An example as its schema wants it; undefined if the sample is none. */
function toExample(sample: string, { type, items, enum: values }: Json): unknown {
  if (Array.isArray(values))
    return values.some((value) => String(value) === sample) ? toTyped(sample, type) : values[0];
  if (type !== 'array') return sample === '' ? undefined : toTyped(sample, type);
  const item = toExample(sample, items as Json);
  return item === undefined ? undefined : [item];
}

function toTyped(sample: string, type: unknown): unknown {
  return type === 'integer' || type === 'number' ? Number(sample) : sample;
}

function toOperatorExample(sample: string, schema: Json): Json {
  const example = toExample(sample, schema);
  if (example === undefined) return {};
  return { example: schema.minItems === 2 ? [example, example].flat() : example };
}

function toOperatorParameter(column: string, { name, schema }: OperatorFacts, sample: string): Json {
  return {
    name: `filter[${column}][${name}]`,
    in: 'query',
    description: `${column}: ${SAYS.get(name) ?? name}`,
    ...listStyle(schema),
    schema,
    ...toOperatorExample(sample, schema),
  };
}

/** What the pages say of operators. */
const USES = / *;[^;]*(?:another operator|operators work too).*$/s;
const FILTER = /^filter\[(.+)\]$/;
const PAGING: ReadonlySet<string> = new Set(['limit', 'offset', 'after', 'before', 'total']);

/**
 * A parameter of a call as parameters of the document: one, or for a condition one for each operator. Those of the query are
 * components, which calls share.
 *
 * @param prefix Of the components that depend on the schema and the action; undefined for a call of the project’s own, which shares none.
 */
export function toParameters(
  facts: ParameterFacts,
  prefix: string | undefined,
  shared: SharedComponents,
): readonly Json[] {
  const isShared = facts.place === 'query' && prefix !== undefined;
  return isShared
    ? shared.partsOf(facts, () => makeParameters(facts, prefix, shared))
    : makeParameters(facts, prefix, shared);
}

function makeParameters(facts: ParameterFacts, prefix: string | undefined, shared: SharedComponents): Json[] {
  const { name, place, description, isRequired, schema, sample, operators = [] } = facts;
  const plain = {
    name,
    in: place,
    // Each operator is described where it stands.
    description: operators.length === 0 ? description : description.replace(USES, ''),
    ...(isRequired ? { required: true } : {}),
    ...listStyle(schema),
    schema: toBare(schema),
    // An empty cursor is none: the first page.
    ...(name === 'after' || name === 'before' ? { example: '' } : toOperatorExample(sample, schema)),
  };
  if (place === 'path' || prefix === undefined) return [plain];
  const column = FILTER.exec(name)?.[1];
  if (column === undefined) return [shared.share('parameters', PAGING.has(name) ? name : `${prefix}-${name}`, plain)];
  const key = `filter-${column}`;
  return [
    shared.share('parameters', key, plain),
    ...operators.map((operator) =>
      shared.share('parameters', `${key}-${operator.name}`, toOperatorParameter(column, operator, sample)),
    ),
  ];
}
