import * as z from 'zod';
import type { Listener } from '../../../core/bus/followers.ts';
import { RowFailure } from '../../../plan/emit/row-feed.ts';
import { defineRowEvent } from '../../../plan/event/event.ts';
import type { Context } from '../../../plan/feature.ts';
import { recordLink } from '../../../plan/recorder.ts';
import { explainTogether, findConstraint, toCycleMessage, toInvalid } from '../errors.ts';
import { findEndError, linkRows, needLinkable } from '../link.ts';
import { pairKeys } from '../stage-docs.ts';
import { write } from '../write.ts';

const listenLink = (context: Context): Listener =>
  async function link(request, response, { event }) {
    const linkable = await needLinkable(context, request, response);
    if (!linkable) return;
    const { pair, source, target, reach } = linkable;
    const { database } = context.services;
    await write(
      context,
      { event, request, response },
      {
        async inside() {
          const linked = await linkRows(pair, source, target, database);
          if ('failure' in linked) throw new RowFailure(linked.failure);
          if (linked.isChanged) recordLink(context, 'link', pair.relation, { source, target });
          const results = { [pair.source.key]: source, [pair.target.key]: target };
          return { results, isChanged: linked.isChanged };
        },
        async explain(error) {
          const broken = findConstraint(error);
          if (broken?.kind === 'tree') {
            const isChild = pair.relation.kind !== '1:N';
            const [child, parent] = isChild ? [source, target] : [target, source];
            const { key, schema } = isChild ? pair.target : pair.source;
            return toInvalid({ [key]: toCycleMessage(schema.singular, child, parent) });
          }
          const holder = pair.relation.kind === '1:N' ? pair.target : pair.source;
          if (broken?.kind !== 'foreign') return broken && explainTogether(holder.schema, broken);
          // One of the two rows was removed in the meantime.
          const message = `${pair.source.schema.singular} ${source} and ${pair.target.schema.singular} ${target} could not be linked: one of them was just changed. Send the request again.`;
          return (
            (await findEndError(pair, { source, target }, reach, context)) ?? {
              status: 409,
              message,
              code: 'ROW_CHANGED_MEANWHILE',
            }
          );
        },
      },
    );
  };

export const systemRelationLink = defineRowEvent({
  name: 'system-relation-link',
  description: 'Links two rows. Linking them again changes nothing.',
  keys: (schema) => pairKeys(schema),
  results: () => z.record(z.string(), z.number()).describe('Both ids.'),
  kind: 'self',
  listen: listenLink,
});
