import { apartAsSystem } from '../../../core/access.ts';
import { toSeconds } from '../../../core/clock.ts';
import type { HookModel } from '../../../model/model.ts';
import type { AddressPolicy } from '../../../outbound/outbound.ts';
import type { Context, Facts } from '../../../plan/feature.ts';
import type { JobRef, Queue } from '../../../queue/queue.ts';
import { createTableQueue } from '../../../queue/table-queue.ts';
import { toIdentity } from '../receiver/identity.ts';
import { createDeliveryReader, type FindDelivery } from '../sql.ts';

/** State that the parts of the web hook feature share: one per plan. */
export interface Outbox {
  readonly context: Context;
  readonly queue: Queue;
  readonly findDelivery: FindDelivery;
  readonly hooks: ReadonlyMap<string, HookModel>;
  /** The hook that an event was recorded for, even if it was renamed since. */
  findHook(name: string): HookModel | undefined;
  /**
   * Runs code of the project outside the queue. The queue does not wait for it, because it may itself wait
   * for the queue. Errors are only logged.
   */
  beside(task: () => Promise<unknown>): void;
  /** Resolves when no such task is running; true if it waited for one, which may have fired hooks. */
  quiet(): Promise<boolean>;
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
      // In no scope: the caller may hold a transaction.
      const running: Promise<void> = apartAsSystem(async () => void (await task()))
        .catch((error: unknown) => services.log.error('webhook.listener.failed', { error }))
        .finally(() => tasks.delete(running));
      tasks.add(running);
    },
    async quiet() {
      const isBusy = tasks.size > 0;
      while (tasks.size > 0) await Promise.all(tasks);
      return isBusy;
    },
    context,
    queue: createTableQueue(services, 'webhook'),
    findDelivery: createDeliveryReader(services.database),
    hooks: new Map(facts.hooks.map((hook) => [hook.name, hook])),
    findHook: (name) =>
      facts.hooks.find((hook) => hook.name === name) ??
      facts.hooks.find((hook) => toIdentity(hook, facts.hooks) === name),
    policy: toPolicy(facts),
    timeoutSeconds: facts.model.settings.webhook.timeoutSeconds,
    now: () => toSeconds(services.clock.now()),
  };
}

/**
 * How long a plan that does not know a hook (an older process during a deployment) leaves its jobs to
 * others.
 */
const UNKNOWN_SECONDS = 3600;
const UNKNOWN_RETRY_SECONDS = 30;

/**
 * When to retry a job of a hook that this plan does not know; undefined if it is too old to come from a
 * newer plan.
 * @param at When it was created. Both are unix seconds.
 */
export const toUnknownRetry = (now: number, at: number): number | undefined =>
  now - at < UNKNOWN_SECONDS ? now + UNKNOWN_RETRY_SECONDS : undefined;

/** The outbox of a context's plan. */
export type FindOutbox = (context: Context) => Outbox;

/** The job that creates the deliveries of an event, and the job that sends one delivery. */
export const toEventJob = (eventId: string): JobRef => ({ kind: 'event', payload: eventId });
const EVENT_LANE = 'event:';
/** Lane of the jobs that create a hook's deliveries, apart from the lanes of receivers. */
export const toEventLane = (hook: string): string => `${EVENT_LANE}${hook}`;
export const isEventLane = (lane: string): boolean => lane.startsWith(EVENT_LANE);
/** Lane of one receiver. */
export const toReceiverLane = (receiver: string): string => `receiver:${receiver}`;
export const toDeliveryJob = (deliveryId: number): JobRef => ({ kind: 'delivery', payload: String(deliveryId) });
