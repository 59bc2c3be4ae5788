import { sql } from 'kysely';
import type { Request } from '../../../core/request.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { FILTER_STAGE, parseFilter } from '../delivery-filter.ts';
import { isRefusal, NO_DELIVERY, refuse } from '../errors.ts';
import { countChosen } from '../log-sql.ts';
import type { FindOutbox } from '../outbox.ts';
import { sendAgain } from '../send-again.ts';

/** Deliveries that one emit sends again at most: a request must be answered in time. */
const LIMIT = 2000;

const NARROWING = ['hook', 'app_id', 'client_id', 'url', 'receiver', 'type', 'since', 'until'] as const;
const ASK = 'Name a delivery_id, an event_id, a hook, an app, a url, a receiver, a type or a time to send again.';

const isOne = (request: Request): boolean => request.hasStage('delivery_id') || request.hasStage('event_id');

export const webhookDeliveryReplay = (findOutbox: FindOutbox): EventContribution => ({
  event: 'webhook-delivery-replay',
  description: 'Sends deliveries again, with the same `webhook-id`, and enables their receivers.',
  stage: {
    delivery_id: 'That delivery, whatever its state.',
    ...FILTER_STAGE,
    state: 'Which of those that the other keys find: by default `failed,disabled`; `any` for all.',
    after: 'Only deliveries with a higher id: `next` of the answer before.',
    dry_run: '1 only counts.',
  },
  results:
    '`count`: how many are sent again; `next`: the `after` that goes on where there are more than 2000, or null.',
  listen: (context) => async (request, response) => {
    if (!isOne(request) && !NARROWING.some((key) => request.hasStage(key)))
      return refuse(response, { status: 422, message: ASK });
    const tests = await parseFilter(context, request);
    if (isRefusal(tests)) return refuse(response, tests);
    const isFailedOnly = !isOne(request) && !request.hasStage('state');
    const chosen = isFailedOnly ? [...tests, sql`d.state in ('failed', 'disabled')`] : tests;
    if (Number(request.getStage('dry_run') ?? 0) === 1) {
      response.setError(false).setResults({ count: await countChosen(context, chosen), next: null });
      return;
    }
    const { count, last } = await sendAgain(findOutbox(context), chosen, LIMIT);
    if (count === 0 && isOne(request)) return refuse(response, NO_DELIVERY);
    response.setError(false).setResults({ count, next: last });
  },
});
