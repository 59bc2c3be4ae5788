import * as z from 'zod';
import { toReason } from '../../../core/text/reason.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import type { EventRecord } from '../../../plan/feature.ts';
import type { FindOutbox } from '../delivery/outbox.ts';
import { NO_RECEIVER } from '../errors.ts';
import { addReceivers, updateReceiver } from '../receiver/receiver-sql.ts';
import { findKnown, isNaming, type KnownReceiver, receiverStage } from '../receiver/receiver-state.ts';

/** Receivers per transaction, so that other writers get a turn. */
const PART = 250;

export const webhookReceiverDisable = (findOutbox: FindOutbox): EventRecord =>
  defineEvent({
    name: 'webhook-receiver-disable',
    description: 'Stops sending to a receiver. Its deliveries are kept for 30 days.',
    kind: 'writes',
    stage: () =>
      z.object({
        ...receiverStage(),
        reason: z
          .custom<string>()
          .meta({ type: 'string' })
          .optional()
          .describe('Reason for the log. Default `Disabled by hand.`'),
      }),
    results: () => z.object({ receivers: z.number() }).describe('`receivers`: the number of receivers disabled.'),
    async run({ reason: why, ...choice }, context) {
      const { database } = context.services;
      const outbox = findOutbox(context);
      const known = isNaming(choice) ? await findKnown(context, choice) : [];
      if (known.length === 0) return reject(NO_RECEIVER);
      const reason = toReason(why ?? 'Disabled by hand.').slice(0, 200);
      for (let from = 0; from < known.length; from += PART) {
        await database.write(async () => {
          const part = known.slice(from, from + PART);
          const toVersion = ({ hook }: KnownReceiver) => outbox.hooks.get(hook)?.definition.secretVersion ?? 1;
          await addReceivers(
            database,
            part.map((each) => ({ ...each, version: toVersion(each) })),
            outbox.now(),
          );
          for (const { key } of part)
            await updateReceiver(database, key, { disabled_at: outbox.now(), disabled_reason: reason });
        });
      }
      return { receivers: known.length };
    },
  });
