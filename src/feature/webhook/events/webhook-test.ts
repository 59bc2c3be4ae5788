import type { Request } from '../../../core/request/request.ts';
import type { Refusal } from '../../../core/request/response.ts';
import { createToken } from '../../../core/secret/secret.ts';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { HookModel } from '../../../model/model.ts';
import { TRIAL_PREFIX } from '../../../page/delivery-view.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { printData } from '../data.ts';
import {
  type FindOutbox,
  type Outbox,
  toDeliveryJob,
  toEventJob,
  toEventLane,
  toReceiverLane,
} from '../delivery/outbox.ts';
import { createRefusal } from '../errors.ts';
import { findMessageFormat } from '../message.ts';
import { addReceivers } from '../receiver/receiver-sql.ts';
import { findKnown, type KnownReceiver } from '../receiver/receiver-state.ts';
import { compileSecrets, compileWithheld } from '../receiver/secret-name.ts';
import { createSampleData } from '../sample.ts';
import { insertDeliveries, insertEvent } from '../sql.ts';

const NARROWING = ['app_id', 'client_id', 'receiver', 'url', 'owner'] as const;

/**
 * Creates one delivery of a trial event for each receiver. It fails if the receiver is disabled, because
 * trials are not kept.
 */
async function deliverTo(
  outbox: Outbox,
  hook: HookModel,
  eventId: string,
  known: readonly KnownReceiver[],
): Promise<Row[]> {
  const { database } = outbox.context.services;
  const now = outbox.now();
  const version = hook.definition.secretVersion ?? 1;
  await addReceivers(
    database,
    known.map((receiver) => ({ ...receiver, version })),
    now,
  );
  const deliveries = known.map((receiver) => ({ eventId, hook: hook.name, receiver }));
  const added = await insertDeliveries(database, deliveries, now);
  await outbox.queue.enqueue(
    added.map(({ delivery_id: id, receiver }) => ({ ...toDeliveryJob(id), lane: toReceiverLane(receiver) })),
  );
  const urls = new Map(known.map(({ key, url }) => [key, url] as const));
  return added.map(({ delivery_id, receiver }) => ({
    delivery_id,
    receiver,
    url: urls.get(receiver),
    state: 'pending',
  }));
}

/** Writes a trial event for the named receivers, or with the job that finds all receivers of a real event. */
async function fire(
  outbox: Outbox,
  hook: HookModel,
  trial: {
    readonly data: string;
    readonly profileId: number | null;
    readonly to: readonly KnownReceiver[] | undefined;
  },
): Promise<Row> {
  const { database, random } = outbox.context.services;
  const eventId = createToken(random, TRIAL_PREFIX, 16);
  return database.write(async () => {
    await insertEvent(database, {
      event_id: eventId,
      hook: hook.name,
      type: hook.definition.type,
      data: trial.data,
      profile_id: trial.profileId,
      ...findMessageFormat(outbox.context, hook),
      created_at: outbox.now(),
    });
    if (trial.to !== undefined) return { event_id: eventId, rows: await deliverTo(outbox, hook, eventId, trial.to) };
    await outbox.queue.enqueue([{ ...toEventJob(eventId), lane: toEventLane(hook.name) }]);
    return { event_id: eventId };
  });
}

function toProfileId(request: Request): number | null {
  const id = Number(request.getStage('profile_id') ?? Number.NaN);
  return Number.isSafeInteger(id) ? id : null;
}

/** @param waiting A receiver that lacks only the approval. */
function toNobody(hook: string, waiting: KnownReceiver | undefined): Refusal {
  if (!waiting) return createRefusal('receiver', `Nobody of those receives ${hook}.`, 404);
  const message = `The app ${waiting.app?.title} waits for approval of ${hook}: nothing is sent to it before.`;
  return createRefusal('receiver', message, 409);
}

export const webhookTest = (findOutbox: FindOutbox): EventContribution => ({
  name: 'webhook-test',
  description:
    'Fires a web hook with test data. The event id starts with `msg_test_`. It is sent once, and not to disabled receivers.',
  stage: {
    hook: 'Name of the web hook.',
    data: 'Sent as `data`. Default: a sample row of the schema.',
    profile_id: 'The user concerned, for a hook with the audience `user`.',
    app_id: 'Only to this app.',
    client_id: 'Only to the app with this client id.',
    receiver: 'Only to this receiver.',
    url: 'Only to this URL. Default: everyone who would receive the real event.',
    owner: 'Only to apps of this account (`auth_id`).',
  },
  results: '`event_id`, to look up with `webhook-delivery-search`; `rows`: its deliveries, if receivers were named.',
  kind: 'writes',
  listen: (context) => async (request, response) => {
    const outbox = findOutbox(context);
    const name = String(request.getStage('hook') ?? '');
    const hook = outbox.hooks.get(name);
    if (!hook) {
      const message = `There is no web hook named "${name}". ${toDidYouMean(name, [...outbox.hooks.keys()])}`;
      return response.refuse(createRefusal('hook', message.trim(), 404));
    }
    const isNarrow = NARROWING.some((key) => request.hasStage(key));
    const known = isNarrow ? await findKnown(context, request) : undefined;
    const to = known?.filter(({ isWaiting }) => !isWaiting);
    if (to?.length === 0) return response.refuse(toNobody(name, known?.[0]));
    const sample = createSampleData(hook, context.plan.model, context.services.clock.now());
    const { fields } = hook.definition;
    const { model } = context.plan;
    const isSecret = compileWithheld(hook, model, compileSecrets(model));
    const data = printData(request.getStage('data') ?? sample, { fields, isSecret });
    response.setError(false).setResults(await fire(outbox, hook, { data, profileId: toProfileId(request), to }));
  },
});
