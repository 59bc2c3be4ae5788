import type { Listener } from '../../../core/bus.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { RowFailure } from '../draft.ts';
import { fail, succeed } from '../errors.ts';
import { linkRows, needLinkable } from '../link.ts';
import { pairStage } from '../stage-words.ts';

const listenLink = (context: Context): Listener =>
  async function link(request, response, { event }) {
    const linkable = await needLinkable(context, request, response);
    if (!linkable) return;
    const { pair, source, target } = linkable;
    const { database } = context.services;
    try {
      await database.write(async () => {
        const linked = await linkRows(pair, source, target, database);
        if ('failure' in linked) throw new RowFailure(linked.failure);
        succeed(response, { [pair.source.key]: source, [pair.target.key]: target });
        if (linked.isChanged) await context.committing(event, request, response);
      });
    } catch (error) {
      response.removeResults();
      if (!(error instanceof RowFailure)) throw error;
      fail(response, error.failure);
    }
  };

export const systemRelationLink: EventContribution = {
  event: 'system-relation-link',
  description: 'Links two rows; linking twice is once.',
  stage: pairStage,
  results: 'Both ids.',
  commits: 'self',
  listen: listenLink,
};
