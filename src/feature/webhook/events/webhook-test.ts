import * as z from 'zod';
import type { Refusal } from '../../../core/request/response.ts';
import { createToken } from '../../../core/secret/secret.ts';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import type { HookModel } from '../../../model/model.ts';
import { TRIAL_PREFIX } from '../../../page/delivery-view.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { anything, optionalId, optionalLookupId, text } from '../../../plan/event/value.ts';
import type { EventRecord } from '../../../plan/feature.ts';
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

/**
 * Creates one delivery of a trial event for each receiver. It fails if the receiver is disabled, because
 * trials are not kept.
 */
async function deliverTo(outbox: Outbox, hook: HookModel, eventId: string, known: readonly KnownReceiver[]) {
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
) {
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

/** @param waiting A receiver that lacks only the approval. */
function toNobody(hook: string, waiting: KnownReceiver | undefined): Refusal {
  if (!waiting) return createRefusal('receiver', `Nobody of those receives ${hook}.`, 404, 'RECEIVER_MISSING');
  const message = `The app ${waiting.app?.title} waits for approval of ${hook}: nothing is sent to it before.`;
  return createRefusal('receiver', message, 409, 'RECEIVER_WAITS');
}

export const webhookTest = (findOutbox: FindOutbox): EventRecord =>
  defineEvent({
    name: 'webhook-test',
    description:
      'Fires a web hook with test data. The event id starts with `msg_test_`. It is sent once, and not to disabled receivers.',
    kind: 'writes',
    stage: () =>
      z.object({
        hook: text('Name of the web hook.'),
        data: anything('Sent as `data`. Default: a sample row of the schema.'),
        profile_id: optionalId('The user concerned, for a hook with the audience `user`.'),
        app_id: text('Only to this app.'),
        client_id: text('Only to the app with this client id.'),
        receiver: text('Only to this receiver.'),
        url: text('Only to this URL. Default: everyone who would receive the real event.'),
        owner: optionalLookupId('Only to apps of this account (`auth_id`).'),
      }),
    results: () =>
      z
        .object({
          event_id: z.string(),
          rows: z
            .array(
              z.object({
                delivery_id: z.number(),
                receiver: z.string(),
                url: z.string().optional(),
                state: z.string(),
              }),
            )
            .optional(),
        })
        .describe(
          '`event_id`, to look up with `webhook-delivery-search`; `rows`: its deliveries, if receivers were named.',
        ),
    async run({ hook: name = '', data, profile_id, ...choice }, context) {
      const outbox = findOutbox(context);
      const hook = outbox.hooks.get(name);
      if (!hook) {
        const message = `There is no web hook named "${name}". ${toDidYouMean(name, [...outbox.hooks.keys()])}`;
        return reject(createRefusal('hook', message.trim(), 404, 'HOOK_UNKNOWN'));
      }
      const isNarrow = Object.values(choice).some((value) => value !== undefined);
      const known = isNarrow ? await findKnown(context, { hook: name, ...choice }) : undefined;
      const to = known?.filter(({ isWaiting }) => !isWaiting);
      if (to?.length === 0) return reject(toNobody(name, known?.[0]));
      const sample = createSampleData(hook, context.plan.model, context.services.clock.now());
      const { fields } = hook.definition;
      const { model } = context.plan;
      const isSecret = compileWithheld(hook, model, compileSecrets(model));
      const printed = printData(data ?? sample, { fields, isSecret });
      const profileId = typeof profile_id === 'number' ? profile_id : null;
      return fire(outbox, hook, { data: printed, profileId, to });
    },
  });
