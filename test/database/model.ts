import * as assert from 'uvu/assert';
import type { Dialect } from '../../src/database/database.ts';
import { createTables, type Table, type TableColumn } from '../../src/database/table.ts';
import { linkModel } from '../../src/model/link.ts';
import type { Model } from '../../src/model/model.ts';
import { type Exclude, type Field, type Index, type Relation, Schema, Settings } from '../../src/model/shape.ts';

export interface SchemaSketch {
  readonly name: string;
  readonly was?: string;
  readonly fields: readonly Field[];
  readonly relations?: readonly Relation[];
  readonly indexes?: readonly Index[];
  readonly exclude?: readonly Exclude[];
}

/** A model of only these schemas, each as in its file, linked as in a project. */
export function linkSchemas(raws: readonly unknown[]): Model {
  const source = <T>(file: string, value: T) => ({ file, text: '', value });
  const none = new Map();
  const schemas = raws.map((raw) => {
    const schema = Schema.parse(raw);
    return [schema.name, source(`config/schema/${schema.name}.json`, schema)] as const;
  });
  const { model, problems } = linkModel({
    settings: source('config/settings.json', Settings.parse({})),
    schema: new Map(schemas),
    fieldset: none,
    rest: none,
    scope: none,
    webhook: none,
    app: none,
    role: none,
    broken: new Set(),
  });
  assert.ok(model, JSON.stringify(problems));
  return model;
}

/** A model of only these schemas. A schema without fields gets one without a column. */
export const toModel = (...sketches: readonly SchemaSketch[]): Model =>
  linkSchemas(
    sketches.map(({ fields, ...sketch }) => {
      const shown = fields.length === 0 ? [{ name: 'nothing', type: 'none' }] : fields;
      return { singular: sketch.name, plural: `${sketch.name}s`, ...sketch, fields: shown };
    }),
  );

export const tablesFor = (dialect: Dialect, ...sketches: readonly SchemaSketch[]): Table[] =>
  createTables(toModel(...sketches), [], { dialect });

export const tablesOf = (...sketches: readonly SchemaSketch[]): Table[] => tablesFor('sqlite', ...sketches);

export function columnOf(tables: readonly Table[], table: string, column: string): TableColumn | undefined {
  return tables.find(({ name }) => name === table)?.columns.find(({ name }) => name === column);
}

export const PROFILE: SchemaSketch = {
  name: 'profile',
  fields: [{ name: 'name', type: 'text', required: true, searchable: true }],
};
