/** What events read from the stage and leave in results, in words for `treadle events` and the docs. */
export const schemaStage = { schema: 'Name of the schema.' };
export const keyStage = { ...schemaStage, '<schema>_id': "The row's id, or the value of any unique column." };
export const columnStage = { '<column>': 'Values by full column name; keys that are no column are left out.' };
export const relatedStage = { '<relation>_id': 'Id of a row that it is linked with; needed for a 1:1.' };
export const pairStage = {
  schema1: 'Name of one schema.',
  schema2: 'Name of the other; a relation may be declared by either.',
  '<schema>_id': 'Id of each side; `_id_1` and `_id_2` where a schema is linked with itself.',
  relation: 'Name of the relation, where several lead from one to the other.',
};
export const searchStage = {
  ...schemaStage,
  q: 'Words over the searchable fields; all must be there.',
  filter:
    'Conditions: column to value, or column to operator to value. Also `column.key` within JSON and `relation.column`.',
  sort: 'Columns, `-` before one for falling order; or column to ASC or DESC. Also `order`.',
  limit: 'Rows of a page. Also `range`.',
  offset: 'Rows left out at the start. Also `start`.',
  after: "Cursor: rows after the last answer's.",
  before: "Cursor: rows before the last answer's.",
  fields: 'Columns that rows have.',
  expand: 'Relations that rows have.',
  total: '0 leaves the count out.',
  group: 'Columns that rows are grouped by; of a time `column:day`, `:month` or `:year`.',
  sum: 'Column that is added up: rows have it as `total`.',
  count: '1 counts rows, a column its values: rows have it as `count`.',
};
export const ROW = "The row with its 1:1 relations' columns, without passwords.";
