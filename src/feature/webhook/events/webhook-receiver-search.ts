import * as z from 'zod';
import { defineEvent } from '../../../plan/event/event.ts';
import { row, word } from '../../../plan/event/value.ts';
import { describeReceivers, findKnown, RECEIVER_STATES, receiverStage } from '../receiver/receiver-state.ts';

const LIMIT = 100;

export const webhookReceiverSearch = defineEvent({
  name: 'webhook-receiver-search',
  description: 'Lists the receivers of web hooks with their state.',
  kind: 'reads',
  stage: () =>
    z.object({
      ...receiverStage(),
      state: word(
        { known: RECEIVER_STATES, refuse: (state) => `"${state}" is not a state of a receiver.` },
        '`enabled`, `failing`, `disabled`, `waiting` (for approval) or `unused` (never sent to).',
      ),
    }),
  results: () =>
    z
      .object({ rows: z.array(row()) })
      .describe(
        '`rows`, at most 100: `receiver`, `hook`, `url`, `client_id`, `state`, `waiting` (whether it waits for approval), `failing_since`, `disabled_at`, `disabled_reason`, `last_success_at` (unix seconds), for a failing one `last_status` or `last_error` of the last attempt, `queued`, and `missed` (failed, or kept while disabled).',
      ),
  async run({ state, ...choice }, context) {
    const known = await findKnown(context, choice);
    return { rows: await describeReceivers(context, known, { state, limit: LIMIT }) };
  },
});
