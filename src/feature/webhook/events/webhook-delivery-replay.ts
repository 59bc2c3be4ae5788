import { sql } from 'kysely';
import type { Request } from '../../../core/request.ts';
import type { Row } from '../../../database/database.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { type DeliveryTests, FILTER_STAGE, parseFilter } from '../delivery-filter.ts';
import { isRefusal, NO_DELIVERY, type Refusal, refuse } from '../errors.ts';
import { countByReceiver, findDisabled } from '../log-sql.ts';
import type { FindOutbox, Outbox } from '../outbox.ts';
import { partSkipped, type Skipped, sendAgain } from '../send-again.ts';
import { IS_REAL } from '../trial.ts';
import { compileUnsent, type FindUnsent } from '../unsent.ts';

/** Deliveries that one emit sends again at most: a request must be answered in time. */
const LIMIT = 2000;
/** Receivers that a count names at most. */
const RECEIVERS = 100;

const NARROWING = ['hook', 'app_id', 'client_id', 'url', 'receiver', 'type', 'since', 'until'] as const;
const ASK = 'Name a delivery_id, an event_id, a hook, an app, a url, a receiver, a type or a time to send again.';

const isOne = (request: Request): boolean => request.hasStage('delivery_id') || request.hasStage('event_id');

/** What a request asks for. A filter leaves trials out, and where no state is named what was delivered. */
function toChosen(request: Request, tests: DeliveryTests): DeliveryTests {
  if (isOne(request)) return tests;
  return [...tests, IS_REAL, ...(request.hasStage('state') ? [] : [sql`d.state in ('failed', 'disabled')`])];
}

/** How many would be sent, to whom, who would be enabled by it, and who is left out. */
async function count({ context }: Outbox, chosen: DeliveryTests, findUnsent: FindUnsent): Promise<Row> {
  const { sendable, skipped } = partSkipped(await countByReceiver(context, chosen), findUnsent);
  const toPair = ({ hook, client_id: clientId }: { hook: string; client_id: string | null }): string =>
    JSON.stringify([hook, clientId]);
  const pairs = new Set(sendable.map(toPair));
  const enabled = pairs.size === 0 ? [] : (await findDisabled(context)).filter((row) => pairs.has(toPair(row)));
  return {
    count: sendable.reduce((sum, row) => sum + row.count, 0),
    next: null,
    receivers: sendable.slice(0, RECEIVERS),
    skipped: skipped.slice(0, RECEIVERS),
    enabled: enabled.slice(0, RECEIVERS),
  };
}

const toNothing = (skipped: readonly Skipped[]): Refusal => {
  const [first] = skipped;
  return first === undefined ? NO_DELIVERY : { status: 409, message: `${first.reason} Nothing is sent to it again.` };
};

export const webhookDeliveryReplay = (findOutbox: FindOutbox): EventContribution => ({
  event: 'webhook-delivery-replay',
  description:
    'Sends deliveries again, with the same `webhook-id`, and enables their receivers. Trial events only by an id.',
  stage: {
    delivery_id: 'That delivery, whatever its state.',
    ...FILTER_STAGE,
    state: 'Which of those that the other keys find: by default `failed,disabled`; `any` for all.',
    after: 'Only deliveries with a higher id: `next` of the answer before.',
    dry_run: '1 only counts, and tells for whom.',
  },
  results:
    '`count`: how many are sent again; `next`: the `after` that goes on where there are more than 2000, or null; `enabled`: receivers that were disabled (`hook`, `url`, `client_id`, `disabled_reason`); `skipped`: those to whom nothing is sent, such as apps that wait for approval (`hook`, `url`, `client_id`, `count`, `reason`). Of a dry run also `receivers`, those with the most first: `hook`, `url`, `client_id`, `count`; of each list 100 at most.',
  listen: (context) => async (request, response) => {
    if (!isOne(request) && !NARROWING.some((key) => request.hasStage(key)))
      return refuse(response, { status: 422, message: ASK });
    const tests = await parseFilter(context, request);
    if (isRefusal(tests)) return refuse(response, tests);
    const outbox = findOutbox(context);
    const chosen = toChosen(request, tests);
    const [owner, appId, clientId] = ['owner', 'app_id', 'client_id'].map((key) => request.getStage(key));
    const findUnsent = await compileUnsent(outbox, { owner, app_id: appId, client_id: clientId });
    if (Number(request.getStage('dry_run') ?? 0) === 1) {
      response.setError(false).setResults(await count(outbox, chosen, findUnsent));
      return;
    }
    const { last, ...sent } = await sendAgain(outbox, chosen, { limit: LIMIT, findUnsent });
    if (sent.count === 0 && isOne(request)) return refuse(response, toNothing(sent.skipped));
    response.setError(false).setResults({ ...sent, next: last });
  },
});
