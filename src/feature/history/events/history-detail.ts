import type { EventContribution } from '../../../plan/feature.ts';
import { needEntry } from '../find-asked.ts';
import { completeChanges } from '../version.ts';
import { toView } from '../view.ts';
import { isDefinition, keepReadable } from '../visible.ts';

export const historyDetail: EventContribution = {
  event: 'history-detail',
  description: 'One entry of the history, with each column before and after the change.',
  stage: { history_id: 'The entry.' },
  results: 'As a row of `history-search`, with `changes`: column to `[before, after]`; empty for a secret.',
  commits: 'nothing',
  listen: (context) => async (request, response) => {
    const stored = await needEntry(context, request, response);
    if (!stored) return;
    const schema = isDefinition(stored.subject) ? undefined : context.plan.model.schemas.get(stored.subject);
    const changes = schema ? await completeChanges(context, schema, stored) : (stored.entry.changes ?? {});
    response.succeed({ ...toView(stored), changes: keepReadable(schema, changes) });
  },
};
