import type { Row } from '../../../database/database.ts';
import type { SchemaModel } from '../../../model/model.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { needRowEntry } from '../find-asked.ts';
import { readVersion, undo } from '../version.ts';
import { toView } from '../view.ts';
import { keepReadable } from '../visible.ts';

const keepKnown = (schema: SchemaModel, row: Row | undefined): Row | null =>
  row === undefined ? null : keepReadable(schema, row as Parameters<typeof keepReadable>[1]);

export const historyModelVersions: EventContribution = {
  event: 'history-model-versions',
  description: 'A row as it was before a change and after it.',
  stage: { history_id: 'The entry of the change.' },
  results:
    '`history`: the entry; `schema`: the definition; `original`: the row before, `current`: the row after the change, null if it did not exist.',
  commits: 'nothing',
  listen: (context) => async (request, response) => {
    const found = await needRowEntry(context, request, response);
    if (!found) return;
    const { entry, schema } = found;
    const current = await readVersion(context, schema, entry);
    const original = undo(current, entry);
    const isGone = entry.entry.action === 'remove' && schema.active === undefined;
    response.succeed({
      history: toView(entry),
      schema: schema.definition,
      original: keepKnown(schema, original),
      current: isGone ? null : keepKnown(schema, current),
    });
  },
};
