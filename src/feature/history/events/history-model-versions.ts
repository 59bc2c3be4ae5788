import * as z from 'zod';
import { pickVisible, type VisibleColumns } from '../../../access/show.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { defineEvent, Rejection } from '../../../plan/event/event.ts';
import { lookupId, row } from '../../../plan/event/value.ts';
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

export const historyModelVersions = defineEvent({
  name: 'history-model-versions',
  description: 'A row as it was before a change and after it.',
  kind: 'silent',
  stage: () => z.object({ history_id: lookupId('The entry of the change.') }),
  results: () =>
    z
      .object({
        history: row(),
        schema: z.custom<SchemaModel['definition']>(),
        original: row().nullable(),
        current: row().nullable(),
      })
      .describe(
        '`history`: the entry; `schema`: the definition; `original`: the row before, `current`: the row after the change, null if it did not exist, or the person may not see it.',
      ),
  async run({ history_id: id }, context) {
    const found = await needRowEntry(context, id);
    if (found instanceof Rejection) return found;
    const { entry, schema } = found;
    const { before, after } = await readVersions(context, schema, entry);
    return {
      history: await toView(context, entry),
      schema: filterFields(schema, entry),
      original: toVisibleRow(before, entry.before),
      current: toVisibleRow(after, entry.after),
    };
  },
});
