import { listComputed } from '../../model/computed.ts';
import { fieldKinds } from '../../model/field-kind.ts';
import { toFlatName } from '../../model/flat.ts';
import type { ColumnModel, Model, RelationModel, SchemaModel } from '../../model/model.ts';
import { toLabelText } from '../../model/names.ts';
import { type Json, toNullable, toValueSchema } from '../../model/value-schema.ts';
import { toSample } from './value.ts';

/** One key of a row as an answer has it. */
export interface RowKey {
  readonly name: string;
  readonly schema: Json;
  readonly sample: unknown;
  readonly description: string;
  /** Worked out for search and detail only: what a write answers, and rows within rows, are without it. */
  readonly isComputed?: boolean;
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

const isShown = (column: ColumnModel): boolean =>
  !fieldKinds[column.field.type].isSecret && column.field.type !== 'none';

function listOwnKeys(schema: SchemaModel): RowKey[] {
  return [
    id(schema.primary, `Identifier of the ${schema.singular.toLowerCase()}`),
    ...schema.columns.filter(isShown).map((column) => {
      const value = toValueSchema(column);
      return {
        name: column.name,
        schema: column.isRequired || column.field.type === 'active' ? value : toNullable(value),
        sample: toSample(column),
        description: column.field.description ?? column.label,
      };
    }),
  ];
}

/** What rows have computed. */
function listComputedKeys(schema: SchemaModel): RowKey[] {
  return listComputed(schema).map(({ name, format, field }) => {
    const description = field.description ?? field.label ?? toLabelText(name);
    const isText = format === 'custom';
    return {
      name,
      schema: { type: isText ? 'string' : ['number', 'null'], description },
      sample: isText ? 'text' : 1,
      description,
      isComputed: true,
    };
  });
}

/** Foreign keys in the schema's own table: the relation and its column. */
export function listForeignKeys(schema: SchemaModel): { column: string; relation: RelationModel; leads: string }[] {
  const own = schema.relations.flatMap((relation) =>
    relation.targetColumn !== undefined && relation.table === schema.table && relation.kind !== 'N:N'
      ? [{ column: relation.targetColumn, relation, leads: relation.target }]
      : [],
  );
  const reverse = schema.reverse.flatMap((relation) =>
    relation.sourceColumn !== undefined && relation.table === schema.table && relation.kind === '1:N'
      ? [{ column: relation.sourceColumn, relation, leads: relation.source }]
      : [],
  );
  return [...own, ...reverse];
}

/** The keys of a row: its own columns, its foreign keys, and the columns of what it has exactly one of. */
export function listRowKeys(schema: SchemaModel, model: Model): RowKey[] {
  const keys = new Map<string, RowKey>(
    [...listOwnKeys(schema), ...listComputedKeys(schema)].map((key) => [key.name, key]),
  );
  for (const { column, leads, relation } of listForeignKeys(schema)) {
    const key = id(column, `Identifier of the ${leads}`);
    keys.set(column, relation.kind === '1:1' ? key : { ...key, schema: toNullable(key.schema) });
  }
  for (const relation of schema.relations) {
    const target = relation.kind === '1:1' ? model.schemas.get(relation.target) : undefined;
    for (const key of target ? listOwnKeys(target) : []) {
      const name = toFlatName(relation, target as SchemaModel, key.name, keys);
      if (name !== undefined) keys.set(name, { ...key, name });
    }
  }
  return [...keys.values()];
}

/** What a detail has beside its row: 1:0 as an object or null, 1:N and N:N as lists. */
export function listBranches(schema: SchemaModel, model: Model): RowBranch[] {
  return schema.relations.flatMap((relation) => {
    const target = relation.kind === '1:1' ? undefined : model.schemas.get(relation.target);
    return target ? [{ name: relation.name, target, isList: relation.kind !== '1:0' }] : [];
  });
}

/** A row that the schema could have. */
export function toSampleRow(schema: SchemaModel, model: Model): Json {
  return Object.fromEntries(listRowKeys(schema, model).map(({ name, sample }) => [name, sample]));
}

/** A detail that the schema could have. */
export function toSampleDetail(schema: SchemaModel, model: Model): Json {
  const branches = listBranches(schema, model).map(({ name, target, isList }) => {
    const row = toSampleRow(target, model);
    return [name, isList ? [row] : row] as const;
  });
  return { ...toSampleRow(schema, model), ...Object.fromEntries(branches) };
}
