import { pickVisible, type VisibleColumns } from '../../../access/show.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { SchemaModel } from '../../../model/model.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { needRowEntry } from '../find-requested.ts';
import { toView } from '../view.ts';
import { readVersions, type VisibleEntry } from '../visible.ts';

const toVisibleRow = (row: Row | undefined, columns: VisibleColumns | undefined): Row | null =>
  row === undefined || columns === undefined ? null : pickVisible(row, columns);

/** The definition without the fields that neither version shows. */
function filterFields(schema: SchemaModel, { before, after }: VisibleEntry): SchemaModel['definition'] {
  const { definition, columns } = schema;
  if (before?.isWhole || after?.isWhole) return definition;
  const hidden = new Set(
    columns.filter(({ name }) => !before?.has(name) && !after?.has(name)).map(({ field }) => field.name),
  );
  return { ...definition, fields: definition.fields.filter(({ name }) => !hidden.has(name)) };
}

export const historyModelVersions: EventContribution = {
  name: 'history-model-versions',
  description: 'A row as it was before a change and after it.',
  stage: { history_id: 'The entry of the change.' },
  results:
    '`history`: the entry; `schema`: the definition; `original`: the row before, `current`: the row after the change, null if it did not exist, or the person may not see it.',
  kind: 'silent',
  listen: (context) => async (request, response) => {
    const found = await needRowEntry(context, request, response);
    if (!found) return;
    const { entry, schema } = found;
    const { before, after } = await readVersions(context, schema, entry);
    response.succeed({
      history: await toView(context, entry),
      schema: filterFields(schema, entry),
      original: toVisibleRow(before, entry.before),
      current: toVisibleRow(after, entry.after),
    });
  },
};
