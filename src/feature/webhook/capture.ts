import { currentScope } from '../../core/scope.ts';
import { createToken } from '../../core/secret.ts';
import type { HookModel } from '../../model/model.ts';
import type { CommitListener } from '../../plan/feature.ts';
import { deliver } from './deliver.ts';
import { expand } from './expand.ts';
import type { FindHooks } from './match.ts';
import { isMatch } from './match.ts';
import { type Outbox, toDeliveryJob, toEventJob } from './outbox.ts';
import { insertEvent } from './sql.ts';

/** Names that hold secrets whatever event left them in its results. */
const SECRET_NAMES: readonly string[] = [
  'auth_password',
  'password',
  'access_token',
  'access_secret',
  'refresh_token',
  'client_secret',
];

/** Seconds beyond the hook's time-out for which the queue leaves an inline delivery alone. */
const INLINE_SLACK = 10;

/** Minified JSON of an event's results, without passwords and tokens. */
export function toData(results: unknown, secretNames: ReadonlySet<string>): string {
  return JSON.stringify(results ?? null, (key, value: unknown) => (secretNames.has(key) ? undefined : value));
}

function toProfileId(results: unknown): number | undefined {
  const id = (results as { profile_id?: unknown } | null | undefined)?.profile_id;
  const number = Number(id ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : undefined;
}

/**
 * Writes an event and the job that spreads it, in the open transaction.
 *
 * @returns The event's id, `msg_…`, which is `webhook-id` in every delivery of it.
 */
export async function recordEvent(
  outbox: Outbox,
  hook: HookModel,
  event: { readonly data: string; readonly profileId: number | undefined; readonly holdSeconds?: number },
): Promise<string> {
  const { database, random } = outbox.context.services;
  const now = outbox.now();
  const eventId = createToken(random, 'msg_', 16);
  await insertEvent(database, {
    event_id: eventId,
    hook: hook.name,
    type: hook.definition.type,
    data: event.data,
    profile_id: event.profileId ?? null,
    created_at: now,
  });
  const dueAt = now + (event.holdSeconds ?? 0);
  await outbox.queue.enqueue([{ ...toEventJob(eventId), lane: `event:${hook.name}`, dueAt }]);
  return eventId;
}

/**
 * Delivers during the action: one attempt to each receiver, side by side, each at most the hook's time-out. What fails,
 * and what a crash cuts short, goes on in the queue.
 */
async function deliverInline(outbox: Outbox, eventId: string, holdSeconds: number): Promise<void> {
  const deliveries: number[] = [];
  await outbox.queue.runNow(
    [toEventJob(eventId)],
    (job) => expand(outbox, job, { holdSeconds, onDelivery: (id) => deliveries.push(id) }),
    holdSeconds,
  );
  await outbox.queue.runNow(deliveries.map(toDeliveryJob), (job, signal) => deliver(outbox, job, signal), holdSeconds);
}

/** The event rows of the hooks that an event fires commit with that event's data; a failed action fires nothing. */
export function createCapture(outbox: Outbox, findHooks: FindHooks): CommitListener {
  const { database, log } = outbox.context.services;
  const secretNames = new Set(SECRET_NAMES);
  for (const schema of outbox.context.plan.model.schemas.values())
    for (const column of schema.columns) if (column.field.type === 'password') secretNames.add(column.name);

  return async (event, request, response) => {
    const hooks = findHooks(event);
    if (hooks.length === 0 || response.isError()) return;
    const fired = hooks.filter((hook) => isMatch(hook, request));
    if (fired.length === 0) return;
    const results = response.getResults();
    const data = toData(results, secretNames);
    const holdSeconds = Math.ceil(outbox.timeoutSeconds) + INLINE_SLACK;
    const inline: string[] = [];
    for (const hook of fired) {
      const isInline = hook.definition.delivery === 'inline';
      const id = await recordEvent(outbox, hook, {
        data,
        profileId: toProfileId(results),
        ...(isInline ? { holdSeconds } : {}),
      });
      if (isInline) inline.push(id);
    }
    if (inline.length === 0) return;
    await database.afterCommit(async () => {
      const runs = await Promise.allSettled(
        inline.map((id) => currentScope.run({}, () => deliverInline(outbox, id, holdSeconds))),
      );
      for (const run of runs) if (run.status === 'rejected') log.error('webhook.inline.failed', { error: run.reason });
    });
  };
}
