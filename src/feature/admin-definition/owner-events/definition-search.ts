import * as z from 'zod';
import { defineEvent } from '../../../plan/event/event.ts';
import { text } from '../../../plan/event/value.ts';
import type { EventRecord } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import { findEditRefusal, type OwnerKind } from '../owner.ts';
import { listRemoved } from '../undo.ts';

/** `system-schema-search`, `system-fieldset-search`. */
export const createSearchEvent = (kind: OwnerKind): EventRecord =>
  defineEvent({
    name: `system-${kind}-search`,
    description: `Lists the ${kind} definitions.`,
    kind: 'silent',
    stage: () =>
      z.object({
        filter: z.object({ active: text('0 lists those that the admin section removed and can restore.') }).optional(),
      }),
    results: () =>
      z
        .object({ rows: z.array(z.custom<object>()), total: z.number() })
        .describe('`rows`, a definition each, and `total`.'),
    async run({ filter }, context) {
      const refusal = findEditRefusal(context, kind, 'search');
      if (refusal) return refusal;
      const { definitions } = await readProject(context.services.root);
      const found = filter?.active === '0' ? await listRemoved(context, kind) : [...definitions[kind].values()];
      return { rows: found.map(({ value }) => value), total: found.length };
    },
  });
