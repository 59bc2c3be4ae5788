import { fieldKinds } from '../../model/field/field-kind.ts';
import { type Json, toValueSchema } from '../../model/json/value-schema.ts';
import type { ColumnModel } from '../../model/model.ts';
import type { SourceColumn } from '../../store/read/source/source.ts';

/** An operator that a column's filter takes, with the schema of its value. */
export interface OperatorFacts {
  readonly name: string;
  readonly schema: Json;
}

/** What a filter compares a column with. */
export interface ComparedFacts {
  /** The value of `filter[column]`. */
  readonly schema: Json;
  /** Those of `filter[column][operator]`; `eq` is left out, because it says the same as no operator. */
  readonly operators: readonly OperatorFacts[];
}

// A filter reads at most 15 digits of a key.
const ID: Json = { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 };
const TEXT: Json = { type: 'string', maxLength: 1000 };
const FLAG: Json = { type: 'integer', enum: [0, 1] };
const WORDS = ['type', 'format', 'pattern', 'enum'] as const;

const PLAIN: Readonly<Record<SourceColumn['type'], Json>> = {
  integer: ID,
  number: { type: 'number', format: 'double' },
  // The filter takes any number, and finds none where it has more digits than the column.
  decimal: { type: 'string', format: 'decimal', pattern: '^-?\\d+(\\.\\d+)?$' },
  flag: FLAG,
  // A year, a month or a day means every time in it.
  date: { type: 'string' },
  moment: { type: 'string' },
  text: TEXT,
  json: TEXT,
};

/** The kind's own form of a text: a filter is read as a body is. A month may be a year here. */
function toKindSchema(column: ColumnModel): Json {
  const value = toValueSchema(column);
  const words = WORDS.filter((word) => word in value && !(word === 'pattern' && column.field.type === 'month'));
  return { ...Object.fromEntries(words.map((word) => [word, value[word]])), maxLength: TEXT.maxLength };
}

function toComparedSchema(column: SourceColumn, model: ColumnModel | undefined): Json {
  if (column.options !== undefined) return { type: 'string', enum: [...column.options] };
  if (column.isWhole === true) return { type: 'integer' };
  return column.reader !== undefined && model !== undefined ? toKindSchema(model) : PLAIN[column.type];
}

const toMany = (items: Json): Json => ({ type: 'array', items, minItems: 1, maxItems: 1000 });
const toTwo = (items: Json): Json => ({ type: 'array', items, minItems: 2, maxItems: 2 });

type Group = 'key' | 'ordered' | 'text' | 'option' | 'flag' | 'list';
const ORDERED = ['gt', 'gte', 'lt', 'lte', 'between'];
const GROUPS: Readonly<Record<Group, readonly string[]>> = {
  key: ['ne', 'in', 'nin'],
  ordered: ['ne', ...ORDERED, 'in', 'nin'],
  text: ['ne', 'contains', 'starts', 'ends', 'in', 'nin'],
  option: ['ne', 'in', 'nin'],
  flag: [],
  list: ['has', 'in', 'nin'],
};

function findGroup(column: SourceColumn, model: ColumnModel | undefined): Group {
  const { type, options } = column;
  if (type === 'integer') return 'key';
  if (type === 'flag') return 'flag';
  if (type === 'json') return 'list';
  if (options !== undefined) return 'option';
  if (type !== 'text') return 'ordered';
  // A time, a week and a month are texts that sort as they should.
  return model !== undefined && fieldKinds[model.field.type].group === 'date' ? 'ordered' : 'text';
}

function toOperator(name: string, schema: Json): OperatorFacts {
  if (name === 'in' || name === 'nin') return { name, schema: toMany(schema) };
  if (name === 'between') return { name, schema: toTwo(schema) };
  const isPart = name === 'contains' || name === 'starts' || name === 'ends';
  return { name, schema: isPart ? TEXT : schema };
}

/** The operators that make sense for a column's kind; those that find a missing value only where one may be missing. */
export function describeCompared(column: SourceColumn, model: ColumnModel | undefined): ComparedFacts {
  const schema = toComparedSchema(column, model);
  const operators = GROUPS[findGroup(column, model)].map((name) => toOperator(name, schema));
  const empty = column.isNullable ? [{ name: 'null', schema: FLAG }] : [];
  const tree = column.tree === undefined ? [] : ['below', 'above'].map((name) => ({ name, schema: ID }));
  return { schema, operators: [...operators, ...empty, ...tree] };
}

/** The key of rows that are linked, which are compared by key only. */
export const LINKED: ComparedFacts = { schema: ID, operators: [{ name: 'in', schema: toMany(ID) }] };
