import { toSeconds } from '../../core/clock.ts';
import type { HookModel } from '../../model/model.ts';
import type { AddressPolicy } from '../../outbound/outbound.ts';
import type { Context, Facts } from '../../plan/feature.ts';
import type { JobRef, Queue } from '../../queue/queue.ts';
import { createTableQueue } from '../../queue/table-queue.ts';

/** What the parts of the web hook feature share: one for a plan. */
export interface Outbox {
  readonly context: Context;
  readonly queue: Queue;
  readonly hooks: ReadonlyMap<string, HookModel>;
  readonly policy: AddressPolicy;
  readonly timeoutSeconds: number;
  /** Unix seconds. */
  now(): number;
}

export const toPolicy = (facts: Facts): AddressPolicy => ({
  allowPrivate: facts.model.settings.webhook.allowPrivate,
  isLoopbackAllowed: facts.isDevelopment,
});

export function createOutbox(context: Context, facts: Facts): Outbox {
  const { services } = context;
  return {
    context,
    queue: createTableQueue(services, 'webhook'),
    hooks: new Map(facts.hooks.map((hook) => [hook.name, hook])),
    policy: toPolicy(facts),
    timeoutSeconds: facts.model.settings.webhook.timeoutSeconds,
    now: () => toSeconds(services.clock.now()),
  };
}

/** The outbox of a context's plan. */
export type FindOutbox = (context: Context) => Outbox;

/** The job that turns an event into deliveries, and the one that sends a delivery. */
export const toEventJob = (eventId: string): JobRef => ({ kind: 'event', payload: eventId });
/** What one receiver may hold up. */
export const toReceiverLane = (receiver: string): string => `receiver:${receiver}`;
export const toDeliveryJob = (deliveryId: number): JobRef => ({ kind: 'delivery', payload: String(deliveryId) });
