import { sql } from 'kysely';
import * as z from 'zod';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { text } from '../../../plan/event/value.ts';
import type { EventRecord } from '../../../plan/feature.ts';
import type { Test } from '../../../plan/table/table.ts';
import { parseStageTime } from '../delivery/deliveries.ts';
import { findReceiverRows } from '../delivery/log-sql.ts';
import type { FindOutbox, Outbox } from '../delivery/outbox.ts';
import { replayDeliveries, type SkippedReceiver, skippedReceivers } from '../delivery/replay.ts';
import { compileSkipReasons, type FindSkipReason } from '../delivery/skip-reason.ts';
import { createRefusal, NO_RECEIVER } from '../errors.ts';
import { updateReceiver } from '../receiver/receiver-sql.ts';
import { findKnown, isNaming, type KnownReceiver, receiverStage } from '../receiver/receiver-state.ts';
import { IS_REAL } from '../trial.ts';

const LIMIT = 2000;

/**
 * What a receiver missed at any of its addresses: everything kept while it was disabled, and what failed
 * since the failures began.
 */
function toMissed({ hook, clientId }: KnownReceiver, since: number | undefined, failingSince: unknown): Test[] {
  const from = since ?? (failingSince === null || failingSince === undefined ? undefined : Number(failingSince));
  const failed =
    from === undefined
      ? sql`d.state = 'disabled'`
      : sql`(d.state = 'disabled' or (d.state = 'failed' and d.created_at >= ${from}))`;
  const app = clientId === undefined ? sql`d.client_id is null` : sql`d.client_id = ${clientId}`;
  return [sql`d.hook = ${hook}`, app, failed, IS_REAL, ...(since === undefined ? [] : [sql`d.created_at >= ${since}`])];
}

/** Enables a receiver and, if asked, sends what it missed. Returns the number of deliveries. */
async function enable(
  outbox: Outbox,
  receiver: KnownReceiver,
  catchUp: {
    readonly isWanted: boolean;
    readonly since: number | undefined;
    readonly limit: number;
    readonly findSkipReason: FindSkipReason;
  },
): Promise<{ readonly count: number; readonly skipped: readonly SkippedReceiver[] }> {
  const { context } = outbox;
  const { database } = context.services;
  const { key } = receiver;
  const before = (await findReceiverRows(context, [key])).get(key);
  await database.write(() =>
    updateReceiver(database, key, { disabled_at: null, disabled_reason: null, failing_since: null }),
  );
  if (!catchUp.isWanted) return { count: 0, skipped: [] };
  return replayDeliveries(outbox, toMissed(receiver, catchUp.since, before?.failing_since), catchUp);
}

export const webhookReceiverEnable = (findOutbox: FindOutbox): EventRecord =>
  defineEvent({
    name: 'webhook-receiver-enable',
    description: 'Enables a disabled receiver and sends what it missed.',
    kind: 'writes',
    stage: () =>
      z.object({
        ...receiverStage(),
        catch_up: text('0 does not send what it missed. Default 1.'),
        since: text('Sends only what it missed from this time on: unix seconds, or `YYYY-MM-DD HH:MM:SS` in UTC.'),
      }),
    results: () =>
      z
        .object({ receivers: z.number(), count: z.number(), skipped: skippedReceivers() })
        .describe(
          '`receivers`: receivers enabled; `count`: deliveries queued again, at most 2000 at once; `skipped`: receivers that get nothing, such as apps that wait for approval: `hook`, `url`, `client_id`, `count`, `reason`.',
        ),
    async run({ catch_up, since: time, ...choice }, context) {
      if (!isNaming(choice)) return reject(NO_RECEIVER);
      const since = time === undefined ? undefined : parseStageTime(time);
      if (time !== undefined && since === undefined) return reject(createRefusal('since', `"${time}" is not a time.`));
      const known = await findKnown(context, choice);
      if (known.length === 0) return reject(NO_RECEIVER);
      const isWanted = catch_up !== '0';
      const outbox = findOutbox(context);
      const findSkipReason = await compileSkipReasons(outbox);
      const skipped: SkippedReceiver[] = [];
      let count = 0;
      for (const receiver of known) {
        const sent = await enable(outbox, receiver, { isWanted, since, limit: LIMIT - count, findSkipReason });
        count += sent.count;
        skipped.push(...sent.skipped);
      }
      return { receivers: known.length, count, skipped };
    },
  });
