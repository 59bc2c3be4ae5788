import type { Contribution, EventContribution, Facts } from '../../plan/feature.ts';
import { listenCreate } from './events/system-model-create.ts';
import { listenDetail } from './events/system-model-detail.ts';
import { listenImport } from './events/system-model-import.ts';
import { listenRemove } from './events/system-model-remove.ts';
import { listenRestore } from './events/system-model-restore.ts';
import { listenSearch } from './events/system-model-search.ts';
import { listenUpdate } from './events/system-model-update.ts';
import { listenLink } from './events/system-relation-link.ts';
import { listenUnlink } from './events/system-relation-unlink.ts';
import { listenUnlinkAll } from './events/system-relation-unlink-all.ts';
import { createRowPlans, type RowPlans } from './row-plans.ts';

const schema = { schema: 'Name of the schema.' };
const key = { ...schema, '<schema>_id': "The row's id, or the value of any unique column." };
const columns = { '<column>': 'Values by full column name; keys that are no column are left out.' };
const related = { '<relation>_id': 'Id of a row that it is linked with; needed for a 1:1.' };
const pair = {
  schema1: 'Name of one schema.',
  schema2: 'Name of the other; a relation may be declared by either.',
  '<schema>_id': 'Id of each side; `_id_1` and `_id_2` where a schema is linked with itself.',
  relation: 'Name of the relation, where several lead from one to the other.',
};
const search = {
  ...schema,
  q: 'Words over the searchable fields; all must be there.',
  filter: 'Conditions: column to value, or column to operator to value.',
  sort: 'Columns, `-` before one for falling order; or column to ASC or DESC. Also `order`.',
  limit: 'Rows of a page. Also `range`.',
  offset: 'Rows left out at the start. Also `start`.',
  after: "Cursor: rows after the last answer's.",
  before: "Cursor: rows before the last answer's.",
  fields: 'Columns that rows have.',
  expand: 'Relations that rows have.',
  total: '0 leaves the count out.',
};
const row = "The row with its 1:1 relations' columns, without passwords.";

function listModelEvents(plans: RowPlans): EventContribution[] {
  return [
    {
      event: 'system-model-search',
      description: 'Searches the rows of a schema.',
      stage: search,
      results:
        '`rows`; `total`: how many there are on all pages; `next` and `previous`: cursors, where there are such pages.',
      listen: listenSearch,
    },
    {
      event: 'system-model-detail',
      description: 'Gives one row with its relations.',
      stage: { ...key, fields: 'Columns that it has.', expand: 'Relations that it has; all by default.' },
      results: 'The row; a 1:0 as an object or null, 1:N and N:N as lists under their names.',
      listen: listenDetail,
    },
    {
      event: 'system-model-create',
      description: "Creates a row after checking it by the schema's rules.",
      stage: { ...schema, ...columns, ...related },
      results: `${row} Its id among them.`,
      commits: 'self',
      listen: (context) => listenCreate(context, plans),
    },
    {
      event: 'system-model-update',
      description: "Changes what is sent of a row, after checking it by the schema's rules.",
      stage: { ...key, ...columns, '<relation>_id': 'Id of another row to lead to.' },
      results: `${row} \`original\` is the row as it was.`,
      commits: 'self',
      listen: (context) => listenUpdate(context, plans),
    },
    {
      event: 'system-model-remove',
      description: 'Removes a row: softly where the schema has an active field, else for good.',
      stage: key,
      results: row,
      commits: 'self',
      listen: listenRemove,
    },
    {
      event: 'system-model-restore',
      description: 'Brings a softly removed row back.',
      stage: key,
      results: row,
      commits: 'self',
      listen: listenRestore,
    },
    {
      event: 'system-model-import',
      description: 'Creates and changes many rows, all or none.',
      stage: {
        ...schema,
        rows: 'List of rows; keys are columns or names of fields. A row with a known id or unique value is changed.',
        ignore_unknown: 'true leaves keys that are no column out.',
      },
      results: '`data` with action, row (its id) and error for each, and the counts `new` and `old`.',
      commits: 'self',
      listen: (context) => listenImport(context, plans),
    },
  ];
}

const RELATION_EVENTS: readonly EventContribution[] = [
  {
    event: 'system-relation-link',
    description: 'Links two rows; linking twice is once.',
    stage: pair,
    results: 'Both ids.',
    commits: 'self',
    listen: listenLink,
  },
  {
    event: 'system-relation-unlink',
    description: 'Parts two rows.',
    stage: pair,
    results: 'Both ids.',
    commits: 'self',
    listen: listenUnlink,
  },
  {
    event: 'system-relation-unlink-all',
    description: 'Parts a row from all that it is linked with by a relation.',
    stage: { ...pair, '<schema>_id': 'Id of one side.' },
    results: 'The id, and `removed`: how many links there were.',
    commits: 'self',
    listen: listenUnlinkAll,
  },
];

export function contribute({ model }: Facts): Contribution {
  return { events: [...listModelEvents(createRowPlans(model)), ...RELATION_EVENTS] };
}
