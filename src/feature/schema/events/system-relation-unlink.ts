import * as z from 'zod';
import type { Listener } from '../../../core/bus/followers.ts';
import { defineRowEvent } from '../../../plan/event/event.ts';
import type { Context } from '../../../plan/feature.ts';
import { recordLink } from '../../../plan/recorder.ts';
import { findBond, needLinkable, unlinkRows } from '../link.ts';
import { pairKeys } from '../stage-docs.ts';
import { write } from '../write.ts';

const listenUnlink = (context: Context): Listener =>
  async function unlink(request, response, { event }) {
    const linkable = await needLinkable(context, request, response);
    if (!linkable) return;
    const { pair, source, target } = linkable;
    const bond = findBond(pair);
    if (bond) return response.refuse(bond);
    const { database } = context.services;
    await write(
      context,
      { event, request, response },
      {
        async inside() {
          const isChanged = (await unlinkRows(pair, { source, target }, database)) > 0;
          if (isChanged) recordLink(context, 'unlink', pair.relation, { source, target });
          return { results: { [pair.source.key]: source, [pair.target.key]: target }, isChanged };
        },
      },
    );
  };

export const systemRelationUnlink = defineRowEvent({
  name: 'system-relation-unlink',
  description: 'Unlinks two rows.',
  keys: (schema) => pairKeys(schema),
  results: () => z.record(z.string(), z.number()).describe('Both ids.'),
  kind: 'self',
  listen: listenUnlink,
});
