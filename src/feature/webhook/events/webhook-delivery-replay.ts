import { sql } from 'kysely';
import * as z from 'zod';
import type { Refusal } from '../../../core/request/response.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { anything, optionalId } from '../../../plan/event/value.ts';
import type { Test } from '../../../plan/table/table.ts';
import { deliveryStage, deliveryStates, findDeliveryTests } from '../delivery/deliveries.ts';
import { countByReceiver, findDisabled } from '../delivery/log-sql.ts';
import type { FindOutbox, Outbox } from '../delivery/outbox.ts';
import { replayDeliveries, type SkippedReceiver, splitSkipped } from '../delivery/replay.ts';
import { compileSkipReasons, type FindSkipReason } from '../delivery/skip-reason.ts';
import { NO_DELIVERY } from '../errors.ts';
import { IS_REAL } from '../trial.ts';

/** Maximum deliveries per call: a request must be answered in time. */
const LIMIT = 2000;
/** Maximum receivers that a count lists. */
const RECEIVERS = 100;

const NARROWING = ['hook', 'app_id', 'client_id', 'url', 'receiver', 'type', 'since', 'until'] as const;
const ASK = 'Name a delivery_id, an event_id, a hook, an app, a url, a receiver, a type or a time to send again.';

const shape = () =>
  z.object({
    delivery_id: optionalId('One delivery, in any state.'),
    ...deliveryStage(),
    state: deliveryStates('States to include. Default `failed,disabled`; `any` for all.'),
    after: optionalId('Only deliveries with a higher id: `next` of the previous answer.'),
    dry_run: anything('1 only counts them, by receiver.'),
  });

type ReplayStage = z.output<ReturnType<typeof shape>>;

const isOne = ({ delivery_id: id, event_id: event }: ReplayStage): boolean => id !== undefined || event !== undefined;

/** The deliveries that a stage selects. A filter excludes trial events, and delivered ones unless it names a state. */
function toChosen(stage: ReplayStage, tests: readonly Test[]): readonly Test[] {
  if (isOne(stage)) return tests;
  return [...tests, IS_REAL, ...(stage.state === undefined ? [sql`d.state in ('failed', 'disabled')`] : [])];
}

/** Counts what would be sent to each receiver, which receivers would be enabled, and which are skipped. */
async function count({ context }: Outbox, chosen: readonly Test[], findSkipReason: FindSkipReason) {
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
  return first === undefined
    ? NO_DELIVERY
    : { status: 409, code: 'DELIVERY_REFUSED', message: `${first.reason} Nothing is sent to it again.` };
};

export const webhookDeliveryReplay = (findOutbox: FindOutbox) =>
  defineEvent({
    name: 'webhook-delivery-replay',
    description:
      'Sends deliveries again with the same `webhook-id`, and enables their receivers. Test events only by id.',
    kind: 'writes',
    stage: shape,
    results: () =>
      z
        .looseObject({ count: z.number(), next: z.number().nullable() })
        .describe(
          '`count`: deliveries queued again; `next`: the `after` of the next 2000, or null; `enabled`: receivers that were disabled (`hook`, `url`, `client_id`, `disabled_reason`); `skipped`: receivers that get nothing, such as apps that wait for approval (`hook`, `url`, `client_id`, `count`, `reason`). A dry run also has `receivers`, most deliveries first: `hook`, `url`, `client_id`, `count`. Each list has 100 entries at most.',
        ),
    async run(stage, context) {
      if (!isOne(stage) && !NARROWING.some((key) => stage[key] !== undefined))
        return reject({ status: 422, code: 'VALIDATION_FAILED', message: ASK });
      const { owner, app_id, client_id, dry_run: dryRun = 0 } = stage;
      const outbox = findOutbox(context);
      const chosen = toChosen(stage, await findDeliveryTests(context, stage));
      const findSkipReason = await compileSkipReasons(outbox, { owner, app_id, client_id });
      if (Number(dryRun) === 1) return count(outbox, chosen, findSkipReason);
      const { last, ...sent } = await replayDeliveries(outbox, chosen, { limit: LIMIT, findSkipReason });
      if (sent.count === 0 && isOne(stage)) return reject(toNothing(sent.skipped));
      return { ...sent, next: last };
    },
  });
