import { toLocalText, translate } from '../../core/text/translate.ts';
import { listComputed } from '../../model/computed.ts';
import { previewValue } from '../../model/expression/preview.ts';
import { type Json, toNullable, toValueSchema } from '../../model/json/value-schema.ts';
import { type ColumnModel, getSchema, type Model, type SchemaModel } from '../../model/model.ts';
import { toLabelText } from '../../model/names.ts';
import { createSample, describeColumn, toNoun } from './value.ts';

/** One key of a row in an answer. */
export interface RowKey {
  readonly name: string;
  readonly schema: Json;
  readonly sample: unknown;
  readonly description: string;
  /** True if only search and detail compute it: answers to writes and nested rows do not have it. */
  readonly isComputed?: boolean;
  /** True if only the row's owner, and roles that name it, see it: other answers do not have it, or null. */
  readonly isPrivate?: boolean;
}

/** A list or an object under a relation's name, in a detail. */
export interface RowBranch {
  readonly name: string;
  readonly target: SchemaModel;
  readonly isList: boolean;
}

const id = (name: string, description: string): RowKey => ({
  name,
  schema: { type: 'integer', description },
  sample: 1,
  description,
});

const toPrimaryKey = (schema: SchemaModel): RowKey =>
  id(schema.primary, translate('Identifier of the {row}', { row: toNoun(schema.singular) }));

/** The key of a column in a row. */
export function toColumnKey(column: ColumnModel): RowKey {
  const value = toValueSchema(column);
  return {
    name: column.name,
    schema: (column.isRequired && !column.isPrivate) || column.field.type === 'active' ? value : toNullable(value),
    sample: createSample(column),
    description: describeColumn(column),
    ...(column.isPrivate ? { isPrivate: true } : {}),
  };
}

/** The keys of a schema's columns; the examples of computed ones are computed of those of the others. */
function listColumnKeys(schema: SchemaModel): RowKey[] {
  const keys = schema.row.shown.map(toColumnKey);
  if (schema.row.shown.every(({ computed }) => computed === undefined)) return keys;
  const row = Object.fromEntries(keys.map(({ name, sample }) => [name, sample]));
  return keys.map((key) => {
    const column = schema.byName.get(key.name);
    return column?.computed === undefined ? key : { ...key, sample: previewValue(column, schema.byName, row) };
  });
}

/** The computed values of rows. */
function listComputedKeys(schema: SchemaModel): RowKey[] {
  return listComputed(schema).map(({ name, format, field }) => {
    const description = toLocalText(field.description ?? field.label ?? toLabelText(name));
    const isText = format === 'custom';
    return {
      name,
      schema: isText ? { type: 'string', description } : { type: ['number', 'null'], format: 'double', description },
      sample: isText ? 'text' : 1,
      description,
      isComputed: true,
    };
  });
}

/** The keys of a row: its own columns, its foreign keys, and the columns of its 1:1 relations. */
export function listRowKeys(schema: SchemaModel, model: Model): RowKey[] {
  const own = [toPrimaryKey(schema), ...listColumnKeys(schema), ...listComputedKeys(schema)];
  const keys = new Map(own.map((key) => [key.name, key] as const));
  for (const { column, target, isNullable } of schema.row.keys) {
    const key = id(column, translate('Identifier of the {row}', { row: target }));
    keys.set(column, isNullable ? { ...key, schema: toNullable(key.schema) } : key);
  }
  for (const { name, target, model: column } of schema.row.flat) {
    // A computed value with that name replaces it in the row.
    if (keys.has(name)) continue;
    const key = column ? toColumnKey(column) : toPrimaryKey(getSchema(model, target));
    keys.set(name, { ...key, name });
  }
  return [...keys.values()];
}

/** The relations in a detail: 1:0 as an object or null, 1:N and N:N as lists. */
export function listBranches(schema: SchemaModel, model: Model): RowBranch[] {
  return schema.row.details.flatMap((relation) => {
    const target = model.schemas.get(relation.target);
    return target ? [{ name: relation.name, target, isList: relation.kind !== '1:0' }] : [];
  });
}

/** What `expand` adds of a tree. */
interface TreeKey {
  /** Its key in a row. */
  readonly key: string;
  /** Its name in `expand`, without a depth. */
  readonly expands: string;
  readonly isBelow: boolean;
}

/** The parts of trees that `expand` adds to a row; where a schema has one tree by their short names. */
export const listTreeKeys = ({ trees }: SchemaModel): TreeKey[] =>
  trees.flatMap(({ name }) =>
    (['above', 'below'] as const).map((part) => ({
      key: trees.length === 1 ? part : `${name}_${part}`,
      expands: trees.length === 1 ? part : `${name}.${part}`,
      isBelow: part === 'below',
    })),
  );

/**
 * An example row of the schema, without private columns: most answers do not have them.
 *
 * @param named Private columns that it has all the same.
 */
export function createSampleRow(schema: SchemaModel, model: Model, named: readonly string[] = []): Json {
  const keys = listRowKeys(schema, model).filter(({ name, isPrivate }) => isPrivate !== true || named.includes(name));
  return Object.fromEntries(keys.map(({ name, sample }) => [name, sample]));
}

/** An example detail of the schema. */
export function createSampleDetail(schema: SchemaModel, model: Model): Json {
  const branches = listBranches(schema, model).map(({ name, target, isList }) => {
    const row = createSampleRow(target, model);
    return [name, isList ? [row] : row] as const;
  });
  return { ...createSampleRow(schema, model), ...Object.fromEntries(branches) };
}
