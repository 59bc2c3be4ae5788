import type { Table, TableColumn } from '../../src/database/table.ts';
import { toTables } from '../../src/database/table.ts';
import type { ColumnModel, Model, RelationModel, SchemaModel } from '../../src/model/model.ts';
import type { Field, Relation } from '../../src/model/shape.ts';

export interface SchemaSketch {
  readonly name: string;
  readonly was?: string;
  readonly fields: readonly (Field & { readonly required?: boolean })[];
  readonly relations?: readonly Relation[];
}

function toColumn(schema: string, field: Field): ColumnModel {
  return {
    name: `${schema}_${field.name}`,
    field,
    was: field.was === undefined ? undefined : `${schema}_${field.was}`,
    label: field.name,
    isRequired: field.required ?? false,
    isUnique: field.unique ?? false,
    isSearchable: field.searchable ?? false,
    isFilterable: field.filterable ?? false,
    isSortable: field.sortable ?? false,
  };
}

function toRelation(source: string, definition: Relation): RelationModel {
  const { kind, schema: target } = definition;
  const name = definition.name ?? target;
  const base = { name, kind, source, target, definition };
  if (kind === '1:N') return { ...base, table: target, sourceColumn: `${source}_id`, targetColumn: undefined };
  if (kind === 'N:N')
    return { ...base, table: `${source}_${name}`, sourceColumn: `${source}_id`, targetColumn: `${target}_id` };
  return { ...base, table: source, sourceColumn: undefined, targetColumn: `${name}_id` };
}

/** A model made by hand, with as much in it as tables are made from. */
export function toModel(...sketches: readonly SchemaSketch[]): Model {
  const schemas = sketches.map((sketch) => {
    const columns = sketch.fields.map((field) => toColumn(sketch.name, field));
    return {
      name: sketch.name,
      was: sketch.was,
      table: sketch.name,
      primary: `${sketch.name}_id`,
      columns,
      relations: (sketch.relations ?? []).map((relation) => toRelation(sketch.name, relation)),
      file: `config/schema/${sketch.name}.json`,
    } as unknown as SchemaModel;
  });
  return { schemas: new Map(schemas.map((schema) => [schema.name, schema])) } as unknown as Model;
}

export const tablesOf = (...sketches: readonly SchemaSketch[]): Table[] =>
  toTables(toModel(...sketches), [], { dialect: 'sqlite' });

export function columnOf(tables: readonly Table[], table: string, column: string): TableColumn | undefined {
  return tables.find(({ name }) => name === table)?.columns.find(({ name }) => name === column);
}

export const PROFILE: SchemaSketch = {
  name: 'profile',
  fields: [{ name: 'name', type: 'text', required: true, searchable: true }],
};
