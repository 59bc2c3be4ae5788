import type { Listener } from '../../../core/bus.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { recordLink } from '../../../plan/recorder.ts';
import { RowFailure } from '../../../plan/row-failure.ts';
import { findConstraint } from '../errors.ts';
import { findEndFault, linkRows, needLinkable } from '../link.ts';
import { pairStage } from '../stage-docs.ts';

const listenLink = (context: Context): Listener =>
  async function link(request, response, { event }) {
    const linkable = await needLinkable(context, request, response);
    if (!linkable) return;
    const { pair, source, target, reach } = linkable;
    const { database } = context.services;
    try {
      await context.write({ event, request, response }, async () => {
        const linked = await linkRows(pair, source, target, database);
        if ('failure' in linked) throw new RowFailure(linked.failure);
        response.succeed({ [pair.source.key]: source, [pair.target.key]: target });
        if (!linked.isChanged) return;
        recordLink(context, 'link', pair.relation, { source, target });
        await context.committing(event, request, response);
      });
    } catch (error) {
      response.removeResults();
      if (error instanceof RowFailure) return response.refuse(error.failure);
      // One of the two rows was removed in the meantime.
      if (findConstraint(error)?.kind !== 'foreign') throw error;
      const gone = await findEndFault(pair, { source, target }, reach, context);
      response.refuse(
        gone ?? {
          status: 409,
          message: `${pair.source.schema.singular} ${source} and ${pair.target.schema.singular} ${target} could not be linked: one of them was just changed. Send the request again.`,
        },
      );
    }
  };

export const systemRelationLink: EventContribution = {
  event: 'system-relation-link',
  description: 'Links two rows. Linking them again changes nothing.',
  stage: pairStage,
  results: 'Both ids.',
  commits: 'self',
  listen: listenLink,
};
