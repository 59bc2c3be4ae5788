import * as z from 'zod';
import { defineEvent } from '../../../plan/event/event.ts';
import type { EventRecord } from '../../../plan/feature.ts';
import type { FindOutbox } from '../delivery/outbox.ts';
import { readFigures } from '../figures.ts';

export const webhookFigures = (findOutbox: FindOutbox): EventRecord =>
  defineEvent({
    name: 'webhook-figures',
    description: 'Metrics of web hook delivery.',
    kind: 'reads',
    stage: () => z.object({}),
    results: () =>
      z
        .object({
          depth: z.number(),
          waiting: z.number(),
          under_way: z.number(),
          wait_seconds: z.number(),
          oldest_seconds: z.number(),
          attempts_hour: z.number(),
          failures_hour: z.number(),
          attempts_day: z.number(),
          failures_day: z.number(),
          receivers_failing: z.number(),
          receivers_disabled: z.number(),
        })
        .describe(
          '`depth`, `waiting` and `under_way`: jobs in the queue; `wait_seconds`: how long the first due job has waited; ' +
            '`oldest_seconds`: age of the oldest event that is not yet delivered to everyone; `attempts_hour`, `failures_hour`, ' +
            '`attempts_day`, `failures_day`; `receivers_failing`, `receivers_disabled`.',
        ),
    async run(_stage, context) {
      const outbox = findOutbox(context);
      const { depth, waiting, underWay, waitSeconds } = await outbox.queue.measure();
      const figures = await readFigures(context.services.database, outbox.hooks.keys(), outbox.now());
      return { depth, waiting, under_way: underWay, wait_seconds: waitSeconds, ...figures };
    },
  });
