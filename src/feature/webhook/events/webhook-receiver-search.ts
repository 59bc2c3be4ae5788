import { toDidYouMean } from '../../../core/text/suggest.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { createRefusal } from '../errors.ts';
import { describeReceivers, findKnown, RECEIVER_STATES } from '../receiver/receiver-state.ts';

const LIMIT = 100;

/** Stage keys that select receivers. */
export const RECEIVER_STAGE = {
  receiver: 'Key of one receiver.',
  hook: 'Name of the web hook.',
  url: 'Its URL.',
  app_id: 'Id of the receiving app.',
  client_id: 'Client id of the receiving app.',
  owner: 'Only apps of this account (`auth_id`).',
} as const;

export const webhookReceiverSearch = (): EventContribution => ({
  name: 'webhook-receiver-search',
  description: 'Lists the receivers of web hooks with their state.',
  stage: {
    ...RECEIVER_STAGE,
    state: '`enabled`, `failing`, `disabled`, `waiting` (for approval) or `unused` (never sent to).',
  },
  results:
    '`rows`, at most 100: `receiver`, `hook`, `url`, `client_id`, `state`, `waiting` (whether it waits for approval), `failing_since`, `disabled_at`, `disabled_reason`, `last_success_at` (unix seconds), for a failing one `last_status` or `last_error` of the last attempt, `queued`, and `missed` (failed, or kept while disabled).',
  kind: 'reads',
  listen: (context) => async (request, response) => {
    const given = request.getStage('state');
    const state = given === undefined || given === null || given === '' ? undefined : String(given);
    if (state !== undefined && !RECEIVER_STATES.some((known) => known === state)) {
      const message = `"${state}" is not a state of a receiver. ${toDidYouMean(state, RECEIVER_STATES)}`;
      return response.refuse(createRefusal('state', message));
    }
    const known = await findKnown(context, request);
    response.setError(false).setResults({ rows: await describeReceivers(context, known, { state, limit: LIMIT }) });
  },
});
