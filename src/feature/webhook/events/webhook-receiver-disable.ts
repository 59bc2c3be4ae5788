import type { EventContribution } from '../../../plan/feature.ts';
import { NO_RECEIVER } from '../errors.ts';
import type { FindOutbox } from '../outbox.ts';
import { findKnown } from '../receiver-state.ts';
import { touchReceiver, updateReceiver } from '../sql.ts';
import { RECEIVER_STAGE } from './webhook-receiver-search.ts';

/** Receivers per transaction, so that other writers get a turn. */
const PART = 250;
const NAMING = ['receiver', 'hook', 'url', 'app_id', 'client_id'] as const;

export const webhookReceiverDisable = (findOutbox: FindOutbox): EventContribution => ({
  event: 'webhook-receiver-disable',
  description: 'Stops sending to a receiver. Its deliveries are kept for 30 days.',
  stage: { ...RECEIVER_STAGE, reason: 'Reason for the log. Default `Disabled by hand.`' },
  results: '`receivers`: the number of receivers disabled.',
  listen: (context) => async (request, response) => {
    const { database } = context.services;
    const outbox = findOutbox(context);
    const known = NAMING.some((key) => request.hasStage(key)) ? await findKnown(context, request) : [];
    if (known.length === 0) return response.refuse(NO_RECEIVER);
    const reason = String(request.getStage('reason') ?? 'Disabled by hand.').slice(0, 200);
    for (let from = 0; from < known.length; from += PART) {
      await database.write(async () => {
        for (const receiver of known.slice(from, from + PART)) {
          const version = outbox.hooks.get(receiver.hook)?.definition.secretVersion ?? 1;
          await touchReceiver(database, { ...receiver, version }, outbox.now());
          await updateReceiver(database, receiver.key, { disabled_at: outbox.now(), disabled_reason: reason });
        }
      });
    }
    response.setError(false).setResults({ receivers: known.length });
  },
});
