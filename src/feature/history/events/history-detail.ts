import type { EventContribution } from '../../../plan/feature.ts';
import { needEntry } from '../find-requested.ts';
import { completeChanges } from '../timeline.ts';
import { toFileOrder, toView } from '../view.ts';
import { isDefinition, readVersions } from '../visible.ts';

export const historyDetail: EventContribution = {
  name: 'history-detail',
  description: 'One entry of the history, with each column before and after the change.',
  stage: { history_id: 'The entry.' },
  results:
    'As a row of `history-search`, with `changes`: column to `[before, after]`; empty for a secret. A column that the row showed on one side only is left out.',
  kind: 'silent',
  listen: (context) => async (request, response) => {
    const visible = await needEntry(context, request, response);
    if (!visible) return;
    const { stored, shows } = visible;
    const schema = isDefinition(stored.subject) ? undefined : context.plan.model.schemas.get(stored.subject);
    const all = stored.entry.changes ?? {};
    const names = toFileOrder(context, stored.subject, Object.keys(all).filter(shows));
    const changes = Object.fromEntries(names.map((name) => [name, all[name] ?? ([] as const)]));
    const isCut = Object.values(changes).some((pair) => pair.length === 1);
    const after = schema && isCut ? (await readVersions(context, schema, visible)).after : undefined;
    response.succeed({
      ...(await toView(context, visible)),
      changes: schema && isCut ? completeChanges(schema, changes, after) : changes,
    });
  },
};
