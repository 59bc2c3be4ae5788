import { toReason } from '../../../core/text/reason.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import type { FindOutbox } from '../delivery/outbox.ts';
import { NO_RECEIVER } from '../errors.ts';
import { addReceivers, updateReceiver } from '../receiver/receiver-sql.ts';
import { findKnown, type KnownReceiver } from '../receiver/receiver-state.ts';
import { RECEIVER_STAGE } from './webhook-receiver-search.ts';

/** Receivers per transaction, so that other writers get a turn. */
const PART = 250;
const NAMING = ['receiver', 'hook', 'url', 'app_id', 'client_id'] as const;

export const webhookReceiverDisable = (findOutbox: FindOutbox): EventContribution => ({
  name: 'webhook-receiver-disable',
  description: 'Stops sending to a receiver. Its deliveries are kept for 30 days.',
  stage: { ...RECEIVER_STAGE, reason: 'Reason for the log. Default `Disabled by hand.`' },
  results: '`receivers`: the number of receivers disabled.',
  kind: 'writes',
  listen: (context) => async (request, response) => {
    const { database } = context.services;
    const outbox = findOutbox(context);
    const known = NAMING.some((key) => request.hasStage(key)) ? await findKnown(context, request) : [];
    if (known.length === 0) return response.refuse(NO_RECEIVER);
    const reason = toReason(request.getStage('reason') ?? 'Disabled by hand.').slice(0, 200);
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
    response.setError(false).setResults({ receivers: known.length });
  },
});
