import * as z from 'zod';
import { defineEvent, Rejection } from '../../../plan/event/event.ts';
import { lookupId } from '../../../plan/event/value.ts';
import { needEntry } from '../find-requested.ts';
import { completeChanges } from '../timeline.ts';
import { toFileOrder, toView } from '../view.ts';
import { isDefinition, readVersions } from '../visible.ts';

export const historyDetail = defineEvent({
  name: 'history-detail',
  description: 'One entry of the history, with each column before and after the change.',
  kind: 'silent',
  stage: () => z.object({ history_id: lookupId('The entry.') }),
  results: () =>
    z
      .looseObject({ changes: z.record(z.string(), z.array(z.unknown()).readonly()) })
      .describe(
        'As a row of `history-search`, with `changes`: column to `[before, after]`; empty for a secret. A column that the row showed on one side only is left out.',
      ),
  async run({ history_id: id }, context) {
    const visible = await needEntry(context, id);
    if (visible instanceof Rejection) return visible;
    const { stored, shows } = visible;
    const schema = isDefinition(stored.subject) ? undefined : context.plan.model.schemas.get(stored.subject);
    const all = stored.entry.changes ?? {};
    const names = toFileOrder(context, stored.subject, Object.keys(all).filter(shows));
    const changes = Object.fromEntries(names.map((name) => [name, all[name] ?? ([] as const)]));
    const isCut = Object.values(changes).some((pair) => pair.length === 1);
    const after = schema && isCut ? (await readVersions(context, schema, visible)).after : undefined;
    return {
      ...(await toView(context, visible)),
      changes: schema && isCut ? completeChanges(schema, changes, after) : changes,
    };
  },
});
