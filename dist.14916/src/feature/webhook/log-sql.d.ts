import type { Row } from '../../database/database.ts';
import type { Context } from '../../plan/feature.ts';
import { type DeliveryTests } from './delivery-filter.ts';
import type { LoggedReceiver } from './skip-reason.ts';
/** One attempt as users see it, with headers as objects. */
export interface LoggedAttempt {
    readonly number: number;
    readonly at: number;
    readonly status: number | null;
    readonly error: string | null;
    readonly milliseconds: number;
    readonly request_head: Readonly<Record<string, string>> | null;
    readonly response_head: Readonly<Record<string, string>> | null;
    readonly response_body: string | null;
}
/** The attempts of a delivery, oldest first. */
export declare function findAttempts({ services }: Context, deliveryId: number): Promise<LoggedAttempt[]>;
/** A delivery to replay; its lane is the receiver's. */
export interface Chosen extends LoggedReceiver {
    readonly delivery_id: number;
    readonly receiver: string;
}
/** A receiver and its number of deliveries. */
export interface Counted extends LoggedReceiver {
    readonly count: number;
}
/** Deliveries that match a filter, oldest first. */
export declare function findChosen(context: Context, tests: DeliveryTests, limit: number): Promise<Chosen[]>;
/** Number of matching deliveries per receiver, largest first. */
export declare function countByReceiver(context: Context, tests: DeliveryTests): Promise<Counted[]>;
/** Rows of receivers, by their keys. */
export declare function findReceiverRows(context: Context, keys: readonly string[]): Promise<Map<string, Row>>;
/** Disabled receivers with the reason. */
export declare function findDisabled({ services }: Context): Promise<(LoggedReceiver & Row)[]>;
/** The last response of a failing receiver: a status, or an error. */
export declare function findLastAnswer({ services }: Context, receiver: string): Promise<{
    readonly status: number | null;
    readonly error: string | null;
}>;
/**
 * Undelivered deliveries of a receiver by state, and the time of the last delivered one (unix seconds).
 * Failed trials do not count as missed.
 */
export declare function findStanding({ services }: Context, receiver: string): Promise<{
    readonly counts: ReadonlyMap<string, number>;
    readonly lastSuccessAt: number | null;
}>;
