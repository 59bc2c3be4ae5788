import * as z from 'zod';
import type { SchemaModel } from '../../model/model.ts';
import { toTable } from '../../model/names.ts';
import { anything, row } from '../../plan/event/value.ts';

/** Keys with one description: those of a schema, and without one a name that stands for them. */
function describeKeys(
  name: string,
  description: string,
  schema: SchemaModel | undefined,
  list: (schema: SchemaModel) => readonly string[],
) {
  const names = schema === undefined ? [name] : list(schema);
  return Object.fromEntries(names.map((key) => [key, () => anything(description)]));
}

/** The columns that name one row. */
const listNaming = ({ primary, columns }: SchemaModel): string[] => [
  primary,
  ...columns.filter(({ isUnique, field }) => isUnique || /^(?:uuid|slug)$/.test(field.type)).map(({ name }) => name),
];

/** The ids of rows that a new row is linked with. A child is linked by the id of its parent. */
const listRelated = ({ primary, relations, reverse }: SchemaModel): string[] => [
  primary,
  ...relations.flatMap(({ name, target }) => [`${name}_id`, `${target}_id`]),
  ...reverse.map(({ source }) => `${toTable(source)}_id`),
];

/** The key that names the schema. */
export const schemaKey = () => ({ schema: () => z.string().describe('Name of the schema.') });

/** The keys that name a row. */
export const rowKeys = (schema?: SchemaModel) => ({
  ...schemaKey(),
  ...describeKeys('<schema>_id', "The row's id, or the value of any unique, uuid or slug column.", schema, listNaming),
});

export const columnKeys = (schema?: SchemaModel) =>
  describeKeys(
    '<column>',
    'Values by full column name; unknown keys are ignored.',
    schema,
    ({ row: { stored, names } }) => [...stored, ...names],
  );

export const relatedKeys = (schema?: SchemaModel, description = 'Id of a row to link; required for a 1:1.') =>
  describeKeys('<relation>_id', description, schema, listRelated);

/** The keys that name two schemas and a row of each. A schema gives the keys of its own side. */
export const pairKeys = (
  schema?: SchemaModel,
  description = 'Id of each side; `_id_1` and `_id_2` if both are the same schema.',
) => ({
  schema1: () => z.string().describe('Name of one schema.'),
  schema2: () => z.string().describe('Name of the other. Either may declare the relation.'),
  ...describeKeys('<schema>_id', description, schema, ({ primary }) => [primary, `${primary}_1`, `${primary}_2`]),
  relation: () => z.string().optional().describe('Name of the relation, if the schemas have several.'),
});

export const searchKeys = () => ({
  ...schemaKey(),
  q: () => anything('Words to find in the searchable fields; a row must have all of them.'),
  filter: () =>
    anything(
      'Conditions: column to value, or column to operator to value. Also `column.key` in JSON and `relation.column`. `or` is a list of alternatives.',
    ),
  sort: () => anything('Columns, with `-` for descending order; or column to ASC or DESC. Also `order`.'),
  limit: () => anything('Rows per page. Also `range`.'),
  offset: () => anything('Rows to skip. Also `start`.'),
  after: () => anything('Cursor of the next page (`next`).'),
  before: () => anything('Cursor of the previous page (`previous`).'),
  fields: () => anything('Columns to return; those of related rows as `relation.column`.'),
  expand: () => anything('Relations to include; theirs after a dot, as `comment.profile`.'),
  total: () => anything('0 skips the count; a number from 2 counts up to there.'),
  group: () => anything('Columns to group by; for a time `column:hour`, `:day`, `:week`, `:month` or `:year`.'),
  sum: () => anything('Column to sum, returned as `total` of each row.'),
  average: () => anything('Column to average, returned as `average` of each row.'),
  count: () => anything('1 counts rows, a column name counts its values; returned as `count` of each row.'),
  least: () => anything('Column of numbers or times; its least value is `least` of each row.'),
  greatest: () => anything('Column of numbers or times; its greatest value is `greatest` of each row.'),
});

/** A row as events answer it. */
export const rowResults = (more = '') =>
  row().describe(`The row with the columns of its 1:1 relations, without passwords.${more}`);
