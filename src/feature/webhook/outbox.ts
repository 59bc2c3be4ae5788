import { toSeconds } from '../../core/clock.ts';
import { currentScope } from '../../core/scope.ts';
import type { HookModel } from '../../model/model.ts';
import type { AddressPolicy } from '../../outbound/outbound.ts';
import type { Context, Facts } from '../../plan/feature.ts';
import type { JobRef, Queue } from '../../queue/queue.ts';
import { createTableQueue } from '../../queue/table-queue.ts';
import { toIdentity } from './identity.ts';

/** What the parts of the web hook feature share: one for a plan. */
export interface Outbox {
  readonly context: Context;
  readonly queue: Queue;
  readonly hooks: ReadonlyMap<string, HookModel>;
  /** The hook that an event was recorded for, also where it was renamed since. */
  findHook(name: string): HookModel | undefined;
  /**
   * Does something of the project's own beside the queue: nothing of the queue's waits for it, since it may itself wait for
   * the queue. What it does wrong is only logged.
   */
  beside(task: () => Promise<unknown>): void;
  /** Resolves when nothing is done beside the queue. */
  quiet(): Promise<void>;
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
  const tasks = new Set<Promise<void>>();
  return {
    beside(task) {
      // In no scope: whose turn it is may hold a transaction.
      const running: Promise<void> = currentScope
        .run({}, async () => void (await task()))
        .catch((error: unknown) => services.log.error('webhook.listener.failed', { error }))
        .finally(() => tasks.delete(running));
      tasks.add(running);
    },
    async quiet() {
      while (tasks.size > 0) await Promise.all(tasks);
    },
    context,
    queue: createTableQueue(services, 'webhook'),
    hooks: new Map(facts.hooks.map((hook) => [hook.name, hook])),
    findHook: (name) =>
      facts.hooks.find((hook) => hook.name === name) ??
      facts.hooks.find((hook) => toIdentity(hook, facts.hooks) === name),
    policy: toPolicy(facts),
    timeoutSeconds: facts.model.settings.webhook.timeoutSeconds,
    now: () => toSeconds(services.clock.now()),
  };
}

/** A plan that does not know a hook (an older process of a roll-out) leaves what is of it to others for this long. */
const UNKNOWN_SECONDS = 3600;
const UNKNOWN_RETRY_SECONDS = 30;

/**
 * When something is tried again whose hook this plan does not know; undefined where it is too old to be of a newer plan.
 *
 * @param at When it was made. Unix seconds, as the answer.
 */
export const toUnknownRetry = (now: number, at: number): number | undefined =>
  now - at < UNKNOWN_SECONDS ? now + UNKNOWN_RETRY_SECONDS : undefined;

/** The outbox of a context's plan. */
export type FindOutbox = (context: Context) => Outbox;

/** The job that turns an event into deliveries, and the one that sends a delivery. */
export const toEventJob = (eventId: string): JobRef => ({ kind: 'event', payload: eventId });
const EVENT_LANE = 'event:';
/** What turns the events of a hook into deliveries, which holds up no receiver. */
export const toEventLane = (hook: string): string => `${EVENT_LANE}${hook}`;
export const isEventLane = (lane: string): boolean => lane.startsWith(EVENT_LANE);
/** What one receiver may hold up. */
export const toReceiverLane = (receiver: string): string => `receiver:${receiver}`;
export const toDeliveryJob = (deliveryId: number): JobRef => ({ kind: 'delivery', payload: String(deliveryId) });
