import type { Json } from '../../../model/json/value-schema.ts';
import type { Model, SchemaModel } from '../../../model/model.ts';
import { listHideable } from '../../../model/role/hideable.ts';
import { listBranches, listRowKeys, listTreeKeys } from '../row.ts';
import { NEEDED } from './headers.ts';

export const componentRef = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });
export const schemaRef = (name: string): Json => componentRef('schemas', name);
export const responseRef = (name: string): Json => componentRef('responses', name);
export const parameterRef = (name: string): Json => componentRef('parameters', name);
export const headerRef = (name: string, isNeeded = false): Json =>
  componentRef('headers', `${isNeeded ? NEEDED : ''}${name}`);

/** Headers of an answer to a caller whose requests are counted. */
export const RATE_HEADERS: Json = {
  RateLimit: headerRef('RateLimit', true),
  'RateLimit-Policy': headerRef('RateLimit-Policy', true),
};

/** What the tags say that are not of a schema. */
export const TAG_TEXTS = {
  public: 'Calls that need no credential',
  app: 'Calls that need an app',
  user: 'Calls that need a user’s access token',
  webhook: 'Requests to receivers',
} as const;

/** Component names of a schema: its whole row, some of a row's columns, and a row with its relations. */
export const rowName = (schema: SchemaModel): string => schema.name;
export const columnsName = (schema: SchemaModel): string => `${schema.name}-columns`;
export const detailName = (schema: SchemaModel, model: Model): string =>
  listBranches(schema, model).length > 0 ? `${schema.name}-detail` : columnsName(schema);

/** The properties of a row under its relations' names, if they are requested. */
function toBranchSchemas(schema: SchemaModel, model: Model): Json {
  return Object.fromEntries(
    listBranches(schema, model).flatMap(({ name, target, isList }): [string, Json][] => {
      const item = schemaRef(rowName(target));
      if (!isList) return [[name, { anyOf: [item, { type: 'null' }] }]];
      const more = { type: 'boolean', description: `true, if ${name} has more rows than shown` };
      return [
        [name, { type: 'array', items: item }],
        [`${name}_more`, more],
      ];
    }),
  );
}

/** A name in `expand` that is not the key of what it adds. */
const EXPANDS = 'x-treadle-expand';

const branchName = (schema: SchemaModel): string => `${schema.name}-branch`;

/** The properties of a row with parts of its trees, if they are requested. */
function toTreeSchemas(schema: SchemaModel): Json {
  return Object.fromEntries(
    listTreeKeys(schema).map(({ key, expands, isBelow }): [string, Json] => [
      key,
      {
        type: 'array',
        items: schemaRef(isBelow ? branchName(schema) : rowName(schema)),
        description: isBelow
          ? `The rows below the row, each with those below it: expand=${expands}:3 for three levels, 10 at most`
          : `The rows above the row, from the root to its parent: expand=${expands}`,
        [EXPANDS]: expands,
      },
    ]),
  );
}

/** A row with the rows below it, to a depth. */
const toBranchSchema = (schema: SchemaModel): Json => ({
  title: `${schema.singular} with the rows below it`,
  allOf: [
    schemaRef(rowName(schema)),
    {
      type: 'object',
      properties: Object.fromEntries(
        listTreeKeys(schema)
          .filter(({ isBelow }) => isBelow)
          .map(({ key }) => [key, { type: 'array', items: schemaRef(branchName(schema)) }]),
      ),
    },
  ],
});

/** JSON Schemas of a schema's row: some columns, all columns, and with its relations if it has any. */
export function toRowSchemas(schema: SchemaModel, model: Model): Record<string, Json> {
  const { singular, description, primary } = schema;
  const keys = listRowKeys(schema, model);
  const hideable = listHideable(model, schema);
  // A row lacks the columns that are hidden from the caller in it.
  const sure = keys.filter(
    ({ isComputed, isPrivate, name }) => isComputed !== true && isPrivate !== true && !hideable.has(name),
  );
  const columns = {
    type: 'object',
    title: `Columns of ${singular}`,
    description: 'All columns without `fields`; the id is always included.',
    properties: Object.fromEntries(keys.map((key) => [key.name, key.schema])),
    required: [primary],
  };
  const row = {
    title: singular,
    ...(description === undefined ? {} : { description }),
    allOf: [schemaRef(columnsName(schema)), { type: 'object', required: sure.map(({ name }) => name) }],
  };
  const both = { [rowName(schema)]: row, [columnsName(schema)]: columns };
  const branches: Json = { ...toBranchSchemas(schema, model), ...toTreeSchemas(schema) };
  if (Object.keys(branches).length === 0) return both;
  const detail = {
    title: `${singular} with its relations`,
    allOf: [schemaRef(columnsName(schema)), { type: 'object', properties: branches }],
  };
  const tree = schema.trees.length === 0 ? {} : { [branchName(schema)]: toBranchSchema(schema) };
  return { ...both, [detailName(schema, model)]: detail, ...tree };
}

/** Schemas that a call or hook shows, and the schemas that they refer to. Others stay private. */
export function listShownSchemas(model: Model, names: Iterable<string | undefined>): SchemaModel[] {
  const shown = new Map<string, SchemaModel>();
  for (const name of names) {
    const schema = name === undefined ? undefined : model.schemas.get(name);
    if (!schema) continue;
    shown.set(schema.name, schema);
    for (const { target } of listBranches(schema, model)) shown.set(target.name, target);
  }
  return [...shown.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
