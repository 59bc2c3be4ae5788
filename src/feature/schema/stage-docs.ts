/** Descriptions of stage keys and results, for `treadle events` and the docs. */
export const schemaStage = { schema: 'Name of the schema.' };
export const keyStage = {
  ...schemaStage,
  '<schema>_id': "The row's id, or the value of any unique, uuid or slug column.",
};
export const columnStage = { '<column>': 'Values by full column name; unknown keys are ignored.' };
export const relatedStage = { '<relation>_id': 'Id of a row to link; required for a 1:1.' };
export const pairStage = {
  schema1: 'Name of one schema.',
  schema2: 'Name of the other. Either may declare the relation.',
  '<schema>_id': 'Id of each side; `_id_1` and `_id_2` if both are the same schema.',
  relation: 'Name of the relation, if the schemas have several.',
};
export const searchStage = {
  ...schemaStage,
  q: 'Words to find in the searchable fields; a row must have all of them.',
  filter:
    'Conditions: column to value, or column to operator to value. Also `column.key` in JSON and `relation.column`.',
  sort: 'Columns, with `-` for descending order; or column to ASC or DESC. Also `order`.',
  limit: 'Rows per page. Also `range`.',
  offset: 'Rows to skip. Also `start`.',
  after: 'Cursor of the next page (`next`).',
  before: 'Cursor of the previous page (`previous`).',
  fields: 'Columns to return.',
  expand: 'Relations to include.',
  total: '0 skips the count; a number from 2 counts up to there.',
  group: 'Columns to group by; for a time `column:day`, `:month` or `:year`.',
  sum: 'Column to sum, returned as `total` of each row.',
  average: 'Column to average, returned as `average` of each row.',
  count: '1 counts rows, a column name counts its values; returned as `count` of each row.',
};
export const ROW = 'The row with the columns of its 1:1 relations, without passwords.';
