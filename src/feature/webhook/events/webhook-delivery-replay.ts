import type { Request } from '../../../core/request.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { type FindOutbox, type Outbox, toDeliveryJob } from '../outbox.ts';
import { updateReceiver } from '../sql.ts';

const BATCH = 500;

interface Chosen {
  readonly delivery_id: number;
  readonly receiver: string;
}

/** One delivery, all of an event, or those of a hook that failed since a time. */
async function findChosen(context: Context, request: Request, after: number): Promise<Chosen[] | undefined> {
  const query = context.services.database.kysely
    .selectFrom('treadle_delivery')
    .select(['delivery_id', 'receiver'])
    .where('delivery_id', '>', after)
    .orderBy('delivery_id')
    .limit(BATCH);
  const [deliveryId, eventId, hook] = ['delivery_id', 'event_id', 'hook'].map((key) => request.getStage(key));
  const since = Number(request.getStage('since') ?? 0);
  if (deliveryId !== undefined)
    return (await query.where('delivery_id', '=', Number(deliveryId)).execute()) as unknown as Chosen[];
  if (eventId !== undefined) return (await query.where('event_id', '=', eventId).execute()) as unknown as Chosen[];
  if (hook === undefined || !Number.isFinite(since)) return undefined;
  const failed = query.where('hook', '=', hook).where('state', 'in', ['failed', 'disabled']);
  return (await failed.where('created_at', '>=', since).execute()) as unknown as Chosen[];
}

/** The schedule starts over and the receiver is enabled: who sends again by hand wants it to arrive. */
async function sendAgain(outbox: Outbox, chosen: readonly Chosen[]): Promise<void> {
  const { database } = outbox.context.services;
  await database.write(async () => {
    for (const receiver of new Set(chosen.map((row) => row.receiver)))
      await updateReceiver(database, receiver, { disabled_at: null, disabled_reason: null, failing_since: null });
    for (const { delivery_id: id } of chosen) {
      await database.kysely
        .updateTable('treadle_delivery')
        .set((set) => ({
          state: 'pending',
          attempts_before: set.ref('attempts'),
          next_at: outbox.now(),
          settled_at: null,
        }))
        .where('delivery_id', '=', id)
        .execute();
    }
    await outbox.queue.enqueue(
      chosen.map((row) => ({ ...toDeliveryJob(Number(row.delivery_id)), lane: `receiver:${row.receiver}` })),
    );
  });
}

export const webhookDeliveryReplay = (findOutbox: FindOutbox): EventContribution => ({
  event: 'webhook-delivery-replay',
  description: 'Sends deliveries again, with the same `webhook-id`, and enables their receivers.',
  stage: {
    delivery_id: 'That delivery.',
    event_id: 'Or every delivery of that event.',
    hook: 'Or what failed of that web hook,',
    since: 'since this time in unix seconds. Default all that is kept.',
  },
  results: '`count`: how many are sent again.',
  listen: (context) => async (request, response) => {
    let count = 0;
    let last = 0;
    for (;;) {
      const chosen = await findChosen(context, request, last);
      if (!chosen) {
        response.setError(true, 'Name a delivery_id, an event_id or a hook to send again.').setStatus(422);
        return;
      }
      if (chosen.length === 0) break;
      await sendAgain(findOutbox(context), chosen);
      count += chosen.length;
      last = Number(chosen.at(-1)?.delivery_id);
    }
    if (count === 0 && !request.hasStage('hook')) {
      response.setError(true, 'There is no such delivery; the log holds 30 days.').setStatus(404);
      return;
    }
    response.setError(false).setResults({ count });
  },
});
