import { sql } from 'kysely';
import type { Request } from '../../../core/request/request.ts';
import type { Refusal } from '../../../core/request/response.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { type DeliveryTests, FILTER_STAGE, parseFilter } from '../delivery/delivery-filter.ts';
import { countByReceiver, findDisabled } from '../delivery/log-sql.ts';
import type { FindOutbox, Outbox } from '../delivery/outbox.ts';
import { replayDeliveries, type SkippedReceiver, splitSkipped } from '../delivery/replay.ts';
import { compileSkipReasons, type FindSkipReason } from '../delivery/skip-reason.ts';
import { isRefusal, NO_DELIVERY } from '../errors.ts';
import { IS_REAL } from '../trial.ts';

/** Maximum deliveries per call: a request must be answered in time. */
const LIMIT = 2000;
/** Maximum receivers that a count lists. */
const RECEIVERS = 100;

const NARROWING = ['hook', 'app_id', 'client_id', 'url', 'receiver', 'type', 'since', 'until'] as const;
const ASK = 'Name a delivery_id, an event_id, a hook, an app, a url, a receiver, a type or a time to send again.';

const isOne = (request: Request): boolean => request.hasStage('delivery_id') || request.hasStage('event_id');

/**
 * The deliveries that a request selects. A filter excludes trial events, and delivered ones unless it names
 * a state.
 */
function toChosen(request: Request, tests: DeliveryTests): DeliveryTests {
  if (isOne(request)) return tests;
  return [...tests, IS_REAL, ...(request.hasStage('state') ? [] : [sql`d.state in ('failed', 'disabled')`])];
}

/** Counts what would be sent to each receiver, which receivers would be enabled, and which are skipped. */
async function count({ context }: Outbox, chosen: DeliveryTests, findSkipReason: FindSkipReason): Promise<Row> {
  const { sendable, skipped } = splitSkipped(await countByReceiver(context, chosen), findSkipReason);
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

const toNothing = (skipped: readonly SkippedReceiver[]): Refusal => {
  const [first] = skipped;
  return first === undefined ? NO_DELIVERY : { status: 409, message: `${first.reason} Nothing is sent to it again.` };
};

export const webhookDeliveryReplay = (findOutbox: FindOutbox): EventContribution => ({
  name: 'webhook-delivery-replay',
  description:
    'Sends deliveries again with the same `webhook-id`, and enables their receivers. Test events only by id.',
  stage: {
    delivery_id: 'One delivery, in any state.',
    ...FILTER_STAGE,
    state: 'States to include. Default `failed,disabled`; `any` for all.',
    after: 'Only deliveries with a higher id: `next` of the previous answer.',
    dry_run: '1 only counts them, by receiver.',
  },
  results:
    '`count`: deliveries queued again; `next`: the `after` of the next 2000, or null; `enabled`: receivers that were disabled (`hook`, `url`, `client_id`, `disabled_reason`); `skipped`: receivers that get nothing, such as apps that wait for approval (`hook`, `url`, `client_id`, `count`, `reason`). A dry run also has `receivers`, most deliveries first: `hook`, `url`, `client_id`, `count`. Each list has 100 entries at most.',
  kind: 'writes',
  listen: (context) => async (request, response) => {
    if (!isOne(request) && !NARROWING.some((key) => request.hasStage(key)))
      return response.refuse({ status: 422, message: ASK });
    const tests = await parseFilter(context, request);
    if (isRefusal(tests)) return response.refuse(tests);
    const outbox = findOutbox(context);
    const chosen = toChosen(request, tests);
    const [owner, appId, clientId] = ['owner', 'app_id', 'client_id'].map((key) => request.getStage(key));
    const findSkipReason = await compileSkipReasons(outbox, { owner, app_id: appId, client_id: clientId });
    if (Number(request.getStage('dry_run') ?? 0) === 1) {
      response.setError(false).setResults(await count(outbox, chosen, findSkipReason));
      return;
    }
    const { last, ...sent } = await replayDeliveries(outbox, chosen, { limit: LIMIT, findSkipReason });
    if (sent.count === 0 && isOne(request)) return response.refuse(toNothing(sent.skipped));
    response.setError(false).setResults({ ...sent, next: last });
  },
});
