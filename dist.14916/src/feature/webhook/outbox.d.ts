import type { HookModel } from '../../model/model.ts';
import type { AddressPolicy } from '../../outbound/outbound.ts';
import type { Context, Facts } from '../../plan/feature.ts';
import type { JobRef, Queue } from '../../queue/queue.ts';
import { type FindDelivery } from './sql.ts';
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
export declare const toPolicy: (facts: Facts) => AddressPolicy;
export declare function createOutbox(context: Context, facts: Facts): Outbox;
/**
 * When to retry a job of a hook that this plan does not know; undefined if it is too old to come from a
 * newer plan.
 * @param at When it was created. Both are unix seconds.
 */
export declare const toUnknownRetry: (now: number, at: number) => number | undefined;
/** The outbox of a context's plan. */
export type FindOutbox = (context: Context) => Outbox;
/** The job that creates the deliveries of an event, and the job that sends one delivery. */
export declare const toEventJob: (eventId: string) => JobRef;
/** Lane of the jobs that create a hook's deliveries, apart from the lanes of receivers. */
export declare const toEventLane: (hook: string) => string;
export declare const isEventLane: (lane: string) => boolean;
/** Lane of one receiver. */
export declare const toReceiverLane: (receiver: string) => string;
export declare const toDeliveryJob: (deliveryId: number) => JobRef;
