import { type Application } from '../application.ts';
import type { Outcome } from '../spec.ts';
/** A delivery as `webhook-delivery-search` gives it; times in unix seconds. */
export interface Delivery {
    readonly delivery_id: number;
    readonly event_id: string;
    readonly hook: string;
    readonly type: string;
    readonly url: string;
    readonly client_id: string | null;
    readonly state: string;
    readonly attempts: number;
    readonly next_at: number | null;
    readonly status: number | null;
    readonly error: string | null;
    readonly created_at: number;
}
/** One attempt of a delivery; times in unix seconds. */
export interface Attempt {
    readonly number: number;
    readonly at: number;
    readonly status: number | null;
    readonly error: string | null;
    readonly milliseconds: number;
    readonly request_head: Readonly<Record<string, string>> | null;
    readonly response_head: Readonly<Record<string, string>> | null;
    readonly response_body: string | null;
}
/** @throws CLI_USAGE if the log does not have it. */
export declare function getDelivery(app: Application, id: string): Promise<Delivery & {
    readonly payload: string;
    readonly attempt: readonly Attempt[];
}>;
export declare const toWords: (seconds: number | null) => string;
/** A text that fits, ended at a word. */
export declare function toShort(text: string): string;
/** One line a delivery. */
export declare function toLines(rows: readonly Delivery[]): string[];
/** What is sent: an event to its receivers, or deliveries with the number of attempts that each had. */
type Sending = {
    readonly eventId: string;
} | {
    readonly before: ReadonlyMap<number, number>;
};
/** Sends now, and nothing else that is due, then waits for what the server sends meanwhile. Returns the deliveries. */
export declare function sendAndWait(app: Application, sending: Sending): Promise<Delivery[]>;
/** The outcome of a command that sent deliveries; it failed if one was not delivered. */
export declare function toResult(rows: readonly Delivery[], more?: Readonly<Record<string, unknown>>): Outcome;
export {};
