import type { Database } from '../../database/database.ts';
import type { EventFacts, Written } from './message.ts';
import type { Receiver } from './receiver.ts';
import type { ReceiverRow } from './receiver-sql.ts';
import type { DeliveryState } from './tables.ts';
/** Times are unix seconds. */
export interface EventRow extends Written {
    readonly sequence: number;
    readonly event_id: string;
    readonly hook: string;
    readonly type: string;
    readonly data: string;
    readonly profile_id: number | null;
    readonly created_at: number;
}
/** A delivery with its event and the state of its receiver. */
export interface DeliveryRow extends EventFacts, ReceiverRow {
    readonly delivery_id: number;
    readonly receiver: string;
    readonly hook: string;
    readonly url: string;
    readonly client_id: string | null;
    readonly state: DeliveryState;
    readonly attempts: number;
    readonly attempts_before: number;
    readonly created_at: number;
    readonly profile_id: number | null;
}
export declare function insertEvent(database: Database, event: Omit<EventRow, 'sequence'>): Promise<void>;
export declare function findEvent(database: Database, eventId: string): Promise<EventRow | undefined>;
export type FindDelivery = (deliveryId: number) => Promise<DeliveryRow | undefined>;
/** Reads deliveries: one statement for all that are asked for in one turn of the event loop. */
export declare function createDeliveryReader(database: Database): FindDelivery;
export interface NewDelivery {
    readonly eventId: string;
    readonly hook: string;
    readonly receiver: Receiver;
}
interface AddedDelivery {
    readonly event_id: string;
    readonly receiver: string;
    readonly delivery_id: number;
}
/** The new deliveries, without those that an event already had. */
export declare function insertDeliveries(database: Database, deliveries: readonly NewDelivery[], now: number): Promise<readonly AddedDelivery[]>;
/** Changes the address of a delivery; false if the event already has a delivery there. */
export declare function moveDelivery(database: Database, row: DeliveryRow, { key, url }: Receiver): Promise<boolean>;
/**
 * Removes a batch of old data: deliveries with their attempts, and events without deliveries. Few rows per
 * transaction, even for an event with thousands. True if there may be more.
 */
export declare function purgeEvents(database: Database, before: number): Promise<boolean>;
export {};
