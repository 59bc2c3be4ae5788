import { apartAsSystem } from '../../core/access.ts';
import type { Request } from '../../core/request/request.ts';
import { createToken } from '../../core/secret/secret.ts';
import type { HookModel } from '../../model/model.ts';
import { findDeferredWork } from '../../plan/emit/deferred-work.ts';
import type { CommitListener } from '../../plan/feature.ts';
import { deliverNow, toReservedSeconds } from './delivery/deliver-now.ts';
import { type Outbox, toEventJob, toEventLane } from './delivery/outbox.ts';
import type { CapturedData, HookPlan } from './hook-plan.ts';
import { type FindHooks, isMatch } from './match.ts';
import { findMessageFormat } from './message.ts';
import { insertEvent } from './sql.ts';

/** A hook that an event fires, with the captured data. */
interface FiredHook {
  readonly hook: HookModel;
  readonly captured: CapturedData;
}

/**
 * Writes an event and the job that creates its deliveries, in the open transaction.
 * @returns The event's id, `msg_…`, which is `webhook-id` in every delivery of it.
 */
async function recordEvent(
  outbox: Outbox,
  hook: HookModel,
  event: { readonly data: string; readonly profileId: number | undefined; readonly holdSeconds?: number },
): Promise<string> {
  const { database, random } = outbox.context.services;
  const now = outbox.now();
  const eventId = createToken(random, 'msg_', 16);
  const dueAt = now + (event.holdSeconds ?? 0);
  // In parallel: the action, and everyone who waits for its transaction, waits for one round trip.
  await Promise.all([
    insertEvent(database, {
      event_id: eventId,
      hook: hook.name,
      type: hook.definition.type,
      data: event.data,
      profile_id: event.profileId ?? null,
      ...findMessageFormat(outbox.context, hook),
      created_at: now,
    }),
    outbox.queue.enqueue([{ ...toEventJob(eventId), lane: toEventLane(hook.name), dueAt }]),
  ]);
  return eventId;
}

/** Data for each hook that an event fires. Logs data that cannot be serialized; the action still succeeds. */
function captureAll(outbox: Outbox, plans: readonly HookPlan[], event: string, results: unknown): FiredHook[] {
  return plans.flatMap((plan) => {
    try {
      const captured = plan.capture(event, results);
      return captured ? [{ hook: plan.hook, captured }] : [];
    } catch (error) {
      outbox.context.services.log.error('webhook.data.failed', { hook: plan.hook.name, event, error });
      return [];
    }
  });
}

/**
 * Event rows commit with the data of the action, so a failed action fires nothing. What a listener before a write emits
 * fires with that write.
 */
export function createCapture(outbox: Outbox, findHooks: FindHooks): CommitListener {
  const { database, log } = outbox.context.services;
  const findMatching = (event: string, request: Request): readonly HookPlan[] =>
    findHooks(event).filter(({ hook }) => isMatch(hook, request));
  const store = async (fired: readonly FiredHook[]): Promise<void> => {
    const holdSeconds = toReservedSeconds(outbox);
    const inline: string[] = [];
    for (const { hook, captured } of fired) {
      const isInline = hook.definition.delivery === 'inline';
      const id = await recordEvent(outbox, hook, { ...captured, ...(isInline ? { holdSeconds } : {}) });
      if (isInline) inline.push(id);
    }
    if (inline.length === 0) return;
    // After the commit, so that no transaction is open while a receiver responds. The action still waits
    // for it.
    await database.afterCommit(async () => {
      const runs = await Promise.allSettled(
        inline.map((id) => apartAsSystem(() => deliverNow(outbox, { eventId: id }))),
      );
      for (const run of runs) if (run.status === 'rejected') log.error('webhook.inline.failed', { error: run.reason });
    });
  };
  const commit: CommitListener['commit'] = async (event, request, response) => {
    const matching = response.isError() ? [] : findMatching(event, request);
    if (matching.length === 0) return;
    const fired = captureAll(outbox, matching, event, response.getResults());
    const held = findDeferredWork();
    if (held !== undefined) held.keep(database, () => store(fired));
    else await store(fired);
  };
  return { handles: (event, request) => findMatching(event, request).length > 0, commit };
}
